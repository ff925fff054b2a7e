import { expect, test } from 'vitest';
import { eventually } from '../../helpers/eventually.ts';
import { runAlongside } from '../../helpers/run-alongside.ts';
import { advance } from '../changes/order-stages.ts';
import { shippedOf } from '../follow/place-at-service.ts';
import { injectFaults, placeUnsubmitted, untilPrintedOnce } from '../submit/submit-helpers.ts';
import { isFencedOff, placePosters, startOriginal, startTwin, untilInBooks } from './two-databases.ts';

/** How many orders the original may still print until the copy has taken over. */
const MOST = 100;

test.each(['draft', 'direct'])(
  'a copied database beside the original prints, ships and emails nothing twice, and only one of them continues: %s',
  async (submit) => {
    const platen = await startOriginal({ submit });
    const printed = await placePosters(platen, 2);
    await untilPrintedOnce(platen, printed);
    const { order: quoted } = await placeUnsubmitted(platen);
    const twin = await startTwin(platen);
    await injectFaults(platen, []);
    const beside = await placePosters(platen, 5);
    // The copy notices that it is one, so it takes over, and the original stops with the next order that it reads.
    for (let more = 0; more < MOST && !(await isFencedOff(platen.app.db)); more += 1) {
      const next = await placePosters(platen, 1);
      await untilInBooks(platen, next);
      beside.push(...next);
    }
    expect(await isFencedOff(platen.app.db)).toBe(true);
    const later = await placePosters(platen, 3);
    const all = [...printed, quoted, ...beside, ...later];
    await untilInBooks(platen, all);
    expect(await twin.isFencedOff()).toBe(false);

    const taken = await runAlongside(platen, 'restored', '--yes');
    expect(taken.code, taken.stderr).toBe(0);
    expect(await isFencedOff(platen.app.db)).toBe(false);
    all.push(...(await placePosters(platen, 2)));
    await eventually(twin.isFencedOff).toBe(true);
    await untilPrintedOnce(platen, all);
    for (const order of all) {
      await advance(platen, order, 'shipped');
      await platen.untilState(order.id, 'fulfilled');
      expect((await shippedOf(platen, { order })).map(({ mails }) => mails)).toEqual([1]);
    }
    await untilPrintedOnce(platen, all);
  },
  300_000,
);
