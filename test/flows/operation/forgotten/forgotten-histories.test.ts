import { expect, test } from 'vitest';
import { platen, testPlaten } from '../../../helpers/test-platen.ts';
import { pickHistories, WAYS } from './histories.ts';
import { playHistory } from './play-history.ts';

testPlaten({ advanceSeconds: null });

/** Every kind of backup, part and event. forgotten-histories.full.ts plays more of them, in every way to submit orders. */
test.each(pickHistories(53))('%s is printed once or held after a restore', async (_, history, index) => {
  const { findings, story } = await playHistory(platen, WAYS.draft, history, index % 3);
  expect(findings, story.join('\n')).toEqual([]);
});
