import { expect, test } from 'vitest';
import { eventually } from '../../helpers/eventually.ts';
import { runAlongside } from '../../helpers/run-alongside.ts';
import { act, codesOf } from '../changes/manual-actions.ts';
import { advance, clearStage, placeAtStage, stages } from '../changes/order-stages.ts';
import { shippedOf } from '../follow/place-at-service.ts';
import { untilPrintedOnce } from '../submit/submit-helpers.ts';
import { isFencedOff, placePosters, startOriginal, startTwin, untilInBooks } from './two-databases.ts';

test.each(stages)(
  'an order $name is printed, shipped and emailed once, although its database is copied and both are used',
  async (stage) => {
    const platen = await startOriginal({});
    const order = await placeAtStage(platen, stage);
    const twin = await startTwin(platen);
    await clearStage(platen);
    const later = await placePosters(platen, 2);
    await eventually(() => isFencedOff(platen.app.db)).toBe(true);
    await untilInBooks(platen, later);
    expect((await platen.printedFor(order.name)).length).toBeLessThanOrEqual(1);

    const taken = await runAlongside(platen, 'restored', '--yes');
    expect(taken.code, taken.stderr).toBe(0);
    const all = [order, ...later, ...(await placePosters(platen, 1))];
    await eventually(twin.isFencedOff).toBe(true);
    // The service refused the draft, so someone must decide.
    if ((await codesOf(platen, order)).includes('confirm_refused')) await act(platen, order, 'continue');
    await untilPrintedOnce(platen, all);
    for (const one of all) {
      await advance(platen, one, 'shipped');
      await platen.untilState(one.id, 'fulfilled');
      expect((await shippedOf(platen, { order: one })).map(({ mails }) => mails)).toEqual([1]);
    }
    await untilPrintedOnce(platen, all);
  },
  300_000,
);
