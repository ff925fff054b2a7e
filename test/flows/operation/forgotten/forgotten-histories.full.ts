import { describe, expect, test } from 'vitest';
import { platen, testPlaten } from '../../../helpers/test-platen.ts';
import { pickHistories, WAYS } from './histories.ts';
import { playHistories } from './play-histories.ts';

describe.each(Object.values(WAYS))('after a restore, in a shop that prints $words,', (way) => {
  testPlaten(way.extended ? { advanceSeconds: null } : { advanceSeconds: null, extended: false });

  test.each(pickHistories(11))('%s are printed once or held', async (_, histories) => {
    expect(await playHistories(platen, way, histories)).toEqual([]);
  });
});
