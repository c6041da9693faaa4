/* Eight structures, the pairs of a double loop. */
import assert from 'node:assert/strict';

export default async function (page, { put, load }) {
  const { boxes } = await load('broad/query.ts');
  for (const step of [0, 60]) {
    const { answer, state } = await put({ count: 400, size: 0.5, step });
    const at = boxes(state), pairs = [];
    for (let i = 0; i < 400; i++)
      for (let j = i + 1; j < 400; j++)
        if ([0, 1, 2].every((k) => at[6 * i + k] <= at[6 * j + 3 + k] && at[6 * j + k] <= at[6 * i + 3 + k])) pairs.push(i, j);
    assert.ok(pairs.length > 20);
    assert.deepEqual(answer.pairs, pairs);
    assert.deepEqual(answer.answers.map((one) => one.pairs), Array(8).fill(pairs.length / 2));
    assert.equal(answer.answers[0].tests, (400 * 399) / 2);
  }
}
