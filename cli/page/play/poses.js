/* Where everything is at a time. Where frames are held, that of the last one; else between frames an object goes straight, by way of the places where it ran into
 * something, and turns at constant speed. */

const scratch = { from: new Float64Array(7), to: new Float64Array(7), at: new Float64Array(7) };

/* The pose of a track in a frame, into `out`: x, y, z, qx, qy, qz, qw. */
function framePose(play, track, frame, out) {
  const at = frame * play.tracks + track;
  for (let k = 0; k < 3; k++) out[k] = play.pose32[5 * at + k];
  for (let k = 0; k < 4; k++) out[3 + k] = play.pose16[10 * at + 6 + k] / 32767;
  return out;
}

/* Where a visual stands: the pose of its object, then its own beside it. */
function placeVisual(visual) {
  const { place, offset, standsFor } = visual,
    [px, py, pz, x, y, z, w] = standsFor.place,
    [ox, oy, oz, a, b, c, d] = offset,
    r = poseRows([px, py, pz, x, y, z, w]);
  for (let k = 0; k < 3; k++) place[k] = r[4 * k] * ox + r[4 * k + 1] * oy + r[4 * k + 2] * oz + r[4 * k + 3];
  place[3] = w * a + x * d + y * c - z * b;
  place[4] = w * b - x * c + y * d + z * a;
  place[5] = w * c + x * b - y * a + z * d;
  place[6] = w * d - x * a - y * b - z * c;
}

/* Between the poses that begin at a[i] and b[i], into `out`. */
function mixPoses(a, b, i, u, out) {
  for (let k = 0; k < 3; k++) out[k] = a[i + k] + (b[i + k] - a[i + k]) * u;
  let dot = a[i + 3] * b[i + 3] + a[i + 4] * b[i + 4] + a[i + 5] * b[i + 5] + a[i + 6] * b[i + 6];
  const sign = dot < 0 ? -1 : 1;
  dot = Math.min(1, dot * sign);
  let wa = 1 - u,
    wb = u;
  if (dot < 0.9995) {
    const angle = Math.acos(dot),
      s = Math.sin(angle);
    wa = Math.sin((1 - u) * angle) / s;
    wb = Math.sin(u * angle) / s;
  }
  let norm = 0;
  for (let k = 3; k < 7; k++) {
    out[k] = wa * a[i + k] + sign * wb * b[i + k];
    norm += out[k] * out[k];
  }
  norm = Math.sqrt(norm) || 1;
  for (let k = 3; k < 7; k++) out[k] /= norm;
  return out;
}

/* The pose of a moving object; `frame` is frameAt(play, time). */
function poseAt(play, object, time, frame, out) {
  const { times } = play,
    next = Math.min(frame + 1, times.length - 1);
  let t0 = times[frame],
    t1 = times[next],
    from = framePose(play, object.track, frame, scratch.from),
    to = framePose(play, object.track, next, scratch.to);
  const { impacts } = object;
  if (impacts) {
    let low = 0,
      high = impacts.length; /* the first that is later than `time` */
    while (low < high) {
      const middle = (low + high) >> 1;
      if (impacts[middle][0] <= time) low = middle + 1;
      else high = middle;
    }
    const before = impacts[low - 1],
      after = impacts[low];
    if (before && before[0] > t0) {
      t0 = before[0];
      for (let k = 0; k < 7; k++) from[k] = before[k + 1];
    }
    if (after && after[0] < t1) {
      t1 = after[0];
      for (let k = 0; k < 7; k++) to[k] = after[k + 1];
    }
  }
  const u = t1 > t0 ? Math.min(1, Math.max(0, (time - t0) / (t1 - t0))) : 0;
  return mixPoses(from, to, 0, u, out);
}

/* All poses of a frame and of the next, kept while the time is between them. */
function frameBlock(play, frame) {
  const { block = {} } = play;
  if (block.frame === frame) return block;
  const next = Math.min(frame + 1, play.times.length - 1),
    size = 7 * play.tracks;
  play.block = {
    frame,
    from: block.from || new Float64Array(size),
    to: block.to || new Float64Array(size),
    span: play.times[next] - play.times[frame],
  };
  for (let track = 0; track < play.tracks; track++) {
    framePose(play, track, frame, play.block.from.subarray(7 * track));
    framePose(play, track, next, play.block.to.subarray(7 * track));
  }
  return play.block;
}

/* Puts every moving object where it is at `time`; true where one came or went. */
function poseAll(play, time) {
  const frame = frameAt(play, time),
    { from, to, span } = frameBlock(play, frame),
    held = play.robot && play.robot.held,
    u = span > 0 && !held ? Math.min(1, Math.max(0, (time - play.times[frame]) / span)) : 0;
  let changed = false;
  for (const object of play.movers) {
    const alive = time <= object.gone + 1e-6 * play.dt; /* at that very time it is still seen */
    if (alive !== object.alive) {
      object.alive = alive;
      changed = true;
    }
    if (!alive) continue;
    const { place, center } = object;
    if (object.impacts) poseAt(play, object, time, frame, place);
    else mixPoses(from, to, 7 * object.track, u, place);
    center[0] = place[0];
    center[1] = place[1];
    center[2] = place[2];
    if (object.slot !== undefined) writeRows(place, object.group.rows, 4 * object.slot);
    if (object.visual) {
      placeVisual(object.visual);
      if (object.visual.slot !== undefined) writeRows(object.visual.place, object.visual.group.rows, 4 * object.visual.slot);
    }
  }
  return changed;
}
