import { expect, test } from 'vitest';
import { platen, testPlaten } from '../../../helpers/test-platen.ts';
import { pickHistories, WAYS } from './histories.ts';
import { playHistories } from './play-histories.ts';

testPlaten({ advanceSeconds: null });

/** Every kind of backup, part and event. forgotten-histories.full.ts plays more of them, in every way to submit orders. */
test.each(pickHistories(53))(
  '%s are printed once or held after a restore',
  async (_, histories) => expect(await playHistories(platen, WAYS.draft, histories)).toEqual([]),
  300_000,
);
