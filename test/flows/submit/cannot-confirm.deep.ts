import { afterAll, beforeAll, expect, test } from 'vitest';
import { startPlaten, type Platen } from '../../helpers/platen.ts';
import {
  atService,
  runSubmitJobsNow,
  injectFaults,
  printOrdersOf,
  untilPrintOrder,
  untilPrintedOnce,
} from './submit-helpers.ts';
import { eventually } from '../../helpers/eventually.ts';

const ORDER_COUNT = 12;
/** Order Get fails with 500 instead of 404, so no order's own requests reveal that the account lacks the extended calls. */
const READS_FAIL = { method: 'GET', path: '/v4/orders/', rate: 1, kind: 'status', status: 500 };

let platen: Platen;
beforeAll(async () => {
  const environment = { PRINT_TIMEOUT_SECONDS: '2', SUBMIT_DEADLINE_SECONDS: '1', SUBMIT_QUIET_SECONDS: '4' };
  const settings = { extendedCalls: true };
  platen = await startPlaten({ advanceSeconds: null, extended: false, environment, settings });
});
afterAll(() => platen.stop());

test('if an account turns out to be unable to confirm drafts, orders that already have a draft are sent directly, once each', async () => {
  await injectFaults(platen, [READS_FAIL]);
  const orders = await Promise.all(Array.from({ length: ORDER_COUNT }, () => platen.placeSkus({ 'POSTER-30X40': 1 })));
  for (const order of orders) await untilPrintOrder(platen, order, ({ serviceOrderId }) => serviceOrderId !== null);
  await injectFaults(platen, []);
  const switched = async () => {
    for (const order of orders) await runSubmitJobsNow(platen, order);
    const rows: object[] = await platen.app.db.query(
      `select from timeline_entries where kind = 'switched_to_direct' limit 1`,
    );
    return rows.length;
  };
  await eventually(switched).toBe(1);
  await injectFaults(platen, [READS_FAIL]);
  await untilPrintedOnce(platen, orders);
  for (const order of orders) {
    const [draft, direct] = await printOrdersOf(platen, order);
    expect(draft).toMatchObject({ submitWay: 'draft', part: 1, fencedAt: expect.any(Date) });
    expect(direct).toMatchObject({ submitWay: 'direct', part: 2 });
    const left = (await atService(platen, order)).filter(({ deleted }) => deleted !== true);
    expect(left.map(({ orderType }) => orderType)).toEqual(['order']);
  }
});
