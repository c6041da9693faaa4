/* What the page says where the scene is a robot (carom check): configurations that stand for themselves, each with a
 * name, or a trajectory with its own times. Nothing here has a broad phase, a mass or a path. */

const ROBOT_KINDS = {
  began: { label: 'Touch', tone: 'began' },
  hit: { label: 'Collide', tone: 'hit' },
  limit: { label: 'Not known to be free', tone: 'hit' },
  stayed: { label: 'Nearest', tone: 'ended' },
};

/* The frame that is shown at `time`: of configurations that which stands there. */
function robotTime(time) {
  const { held, names, start, timed } = play.robot;
  if (held) return names[frameAt(play, time)];
  return timed ? `${(start + time).toFixed(3)} s` : `row ${(start + time).toFixed(3)}`;
}

/* "turn 12.97°" for each joint, in the frame at hand. */
function jointRows(time) {
  const { joints, slides, values } = play.robot,
    frame = frameAt(play, time);
  return joints.map((name, k) => {
    const value = values[frame][k];
    return [name, slides[k] ? `${value < 0 ? '−' : ''}${lengthText(Math.abs(value))}` : `${digits((value * 180) / Math.PI)}°`];
  });
}

function robotStats() {
  const { held, links, attached, pairs, configurations } = play.robot;
  return [
    ['Links', countText(links)],
    attached ? ['Attached', countText(attached)] : null,
    ['Pairs', countText(pairs)],
    held ? ['Configurations', countText(configurations)] : null,
  ].filter(Boolean);
}

/* A word for what an event is about, for its details. */
function robotSentence(event) {
  const { held } = play.robot;
  return {
    began: 'They overlap by no more than the tolerance.',
    hit: held ? 'They collide in this configuration.' : 'They collide here for the first time.',
    limit: 'Whether they collide after this is not known.',
    stayed: held ? 'Nothing collides in this configuration; these two are nearest.' : 'They are never nearer than about here.',
  }[event.kind];
}

/* Depth, or gap. */
function robotMeasure(event) {
  if (event.kind === 'hit' && event.depth > 0) return ['Depth', lengthText(event.depth)];
  return event.kind === 'hit' ? null : ['Gap', lengthText(Math.max(0, -event.depth))];
}

/* How an object is moved. */
const robotBody = (object) =>
  object.className === 'cell' ? 'Stands around the robot' : object.className === 'attached' ? 'Attached to a link' : object.body ? 'Moved by joints' : 'Stands still';
