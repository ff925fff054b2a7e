import { describe, expect, test } from 'vitest';
import { platen, testPlaten } from '../../../helpers/test-platen.ts';
import { pickHistories, WAYS } from './histories.ts';
import { playHistory } from './play-history.ts';

/** How many histories a way has for each one that is played. `PLATEN_HISTORY_STEP=1` plays all. */
const STEP = Number(process.env['PLATEN_HISTORY_STEP'] ?? 37);

describe.each(Object.values(WAYS))('after a restore, in a shop that prints $words,', (way) => {
  testPlaten(way.extended ? { advanceSeconds: null } : { advanceSeconds: null, extended: false });

  test.each(pickHistories(STEP))('%s is printed once or held', async (_, history, index) => {
    const { findings, story } = await playHistory(platen, way, history, index % 3);
    expect(findings, story.join('\n')).toEqual([]);
  });
});
