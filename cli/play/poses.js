/* Where everything is at a time. Between frames an object goes straight, by way of the places where it ran into
 * something, and turns at constant speed. */

const scratch = { from: new Float64Array(7), to: new Float64Array(7), at: new Float64Array(7) };

/* The pose of a track in a frame, into `out`: x, y, z, qx, qy, qz, qw. */
function framePose(play, track, frame, out) {
  const at = frame * play.tracks + track;
  for (let k = 0; k < 3; k++) out[k] = play.pose32[5 * at + k];
  for (let k = 0; k < 4; k++) out[3 + k] = play.pose16[10 * at + 6 + k] / 32767;
  return out;
}

function mixPoses(a, b, u, out) {
  for (let k = 0; k < 3; k++) out[k] = a[k] + (b[k] - a[k]) * u;
  let dot = a[3] * b[3] + a[4] * b[4] + a[5] * b[5] + a[6] * b[6];
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
    out[k] = wa * a[k] + sign * wb * b[k];
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
  return mixPoses(from, to, u, out);
}

/* Writes the 3x4 matrix of a pose, row by row, to `rows` from element `at` of each of its three arrays. */
function writeRows([px, py, pz, x, y, z, w], rows, at) {
  const [a, b, c] = rows;
  a[at] = 1 - 2 * (y * y + z * z);
  a[at + 1] = 2 * (x * y - z * w);
  a[at + 2] = 2 * (x * z + y * w);
  a[at + 3] = px;
  b[at] = 2 * (x * y + z * w);
  b[at + 1] = 1 - 2 * (x * x + z * z);
  b[at + 2] = 2 * (y * z - x * w);
  b[at + 3] = py;
  c[at] = 2 * (x * z - y * w);
  c[at + 1] = 2 * (y * z + x * w);
  c[at + 2] = 1 - 2 * (x * x + y * y);
  c[at + 3] = pz;
}

/* Puts every moving object where it is at `time`; true where one came or went. */
function poseAll(play, time) {
  const frame = frameAt(play, time);
  let changed = false;
  for (const object of play.movers) {
    const alive = time < object.gone || (time === object.gone && time === 0);
    if (alive !== object.alive) {
      object.alive = alive;
      changed = true;
    }
    if (!alive) continue;
    const pose = poseAt(play, object, time, frame, scratch.at);
    for (let k = 0; k < 7; k++) object.place[k] = pose[k];
    for (let k = 0; k < 3; k++) object.center[k] = pose[k];
    if (object.slot !== undefined) writeRows(pose, object.group.rows, 4 * object.slot);
  }
  return changed;
}
