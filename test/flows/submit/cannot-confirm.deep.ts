import { expect, test } from 'vitest';
import { eventually } from '../../helpers/eventually.ts';
import { platen, testPlaten } from '../../helpers/test-platen.ts';
import { atService, injectFaults, printOrdersOf, untilPrintedOnce, untilPrintOrder } from './submit-helpers.ts';

/** Order Get fails with 500 instead of 404, so no order's own requests reveal that the account lacks the extended calls. */
const READS_FAIL = { method: 'GET', path: '/v4/orders/', rate: 1, kind: 'status', status: 500 };

testPlaten({ advanceSeconds: null, extended: false, settings: { extendedCalls: true } });

test('if an account turns out to be unable to confirm drafts, orders that already have a draft are sent directly, once each', async () => {
  await injectFaults(platen, [READS_FAIL]);
  const orders = await Promise.all([1, 2, 3].map(() => platen.placeSkus({ 'POSTER-30X40': 1 })));
  for (const order of orders) await untilPrintOrder(platen, order, ({ serviceOrderId }) => serviceOrderId !== null);
  await injectFaults(platen, []);
  const switched = () => platen.app.db.query(`select id from timeline_entries where kind = 'switched_to_direct'`);
  await eventually(switched).not.toEqual([]);
  await injectFaults(platen, [READS_FAIL]);
  await untilPrintedOnce(platen, orders);
  for (const order of orders) {
    expect(await printOrdersOf(platen, order)).toMatchObject([
      { submitWay: 'draft', part: 1, fencedAt: expect.any(Date) },
      { submitWay: 'direct', part: 2 },
    ]);
    const left = (await atService(platen, order)).filter(({ deleted }) => deleted !== true);
    expect(left.map(({ orderType }) => orderType)).toEqual(['order']);
  }
});
