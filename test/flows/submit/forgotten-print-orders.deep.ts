import { expect, onTestFinished, test } from 'vitest';
import { StorefrontOrders } from '../../../src/database/entities/orders.ts';
import { readInstallation } from '../../../src/shops/install/installation.ts';
import { startPlaten, type PlacedOrder, type Platen } from '../../helpers/platen.ts';
import { backUpDatabase } from '../../helpers/restore-database.ts';
import { act, codesOf } from '../changes/manual-actions.ts';
import { injectFaults, untilPrintedOnce, untilNoDueJobs } from './submit-helpers.ts';
import { eventually } from '../../helpers/eventually.ts';

const ENVIRONMENT = {
  PRINT_TIMEOUT_SECONDS: '1',
  SUBMIT_DEADLINE_SECONDS: '0.5',
  SUBMIT_QUIET_SECONDS: '4',
  // Only polls can find changes that were made after the backup. The deliveries of these changes were acknowledged before the restore
  // removed them, so nobody resends them.
  POLL_SECONDS: '2',
};
const REQUESTED = 'CANCELLATION_REQUESTED';

let platen: Platen;

const endpoint = ({ id }: PlacedOrder, name: string) =>
  platen.control('store', 'POST', `/orders/${encodeURIComponent(id)}/${name}`, {});
const printedOf = async ({ name }: PlacedOrder) => (await platen.printedFor(name))[0];
const requestStatusOf = async ({ id }: PlacedOrder) =>
  (await platen.storeOrder(id)).fulfillmentOrders.at(-1)?.requestStatus;

/**
 * Restores a database that lacks the print orders of two orders. One order's cancellation is requested and the other order is canceled in
 * the store, but the service is still printing both.
 */
async function restoreWithoutPrintOrders(
  settings: Record<string, unknown>,
): Promise<{ asked: PlacedOrder; canceled: PlacedOrder }> {
  platen = await startPlaten({ advanceSeconds: null, environment: ENVIRONMENT, settings });
  onTestFinished(() => platen.stop());
  const { databaseUrl } = platen.app.config;
  if (databaseUrl === null) throw new Error('The test has no database URL.');
  const restore = await backUpDatabase(databaseUrl);
  const [asked, canceled] = [await platen.placeSkus({ 'MUG-11OZ': 2 }), await platen.placeSkus({ 'MUG-11OZ': 1 })];
  await untilPrintedOnce(platen, [asked, canceled]);
  await injectFaults(platen, [{ method: 'POST', path: '/v4/orders/', kind: 'status', status: 503, rate: 1 }]);
  await endpoint(asked, 'request-cancellation');
  await endpoint(canceled, 'cancel');
  await restore();
  await injectFaults(platen, []);
  return { asked, canceled };
}

test.each(['draft', 'direct'])(
  'after a restore, a cancellation finds and cancels the forgotten print order and is accepted: %s',
  async (submit) => {
    const { asked, canceled } = await restoreWithoutPrintOrders({ submit });
    const codes = (order: PlacedOrder) => codesOf(platen, order).catch(() => ['not listed']);
    for (const order of [asked, canceled]) await eventually(() => codes(order)).toEqual(['unknown_print_order']);
    expect(await requestStatusOf(asked)).toBe(REQUESTED);
    const printed = await Promise.all([asked, canceled].map(printedOf));
    expect(printed.map((one) => one?.fulfillmentStatus)).not.toContain('canceled');

    for (const one of printed) await platen.control('print', 'POST', `/orders/${one?.id}/advance`, { to: 'canceled' });
    for (const order of [asked, canceled]) await act(platen, order, 'continue');
    await eventually(() => requestStatusOf(asked)).toBe('CANCELLATION_ACCEPTED');
    await untilNoDueJobs(platen, canceled);
    for (const order of [asked, canceled]) expect(await codesOf(platen, order)).toEqual([]);
    expect((await Promise.all([asked, canceled].map(({ name }) => platen.printedFor(name)))).flat()).toHaveLength(2);
  },
  240_000,
);

test('while searches fail after a restore, no cancellation request from before the restore is accepted', async () => {
  const { asked } = await restoreWithoutPrintOrders({});
  await injectFaults(platen, [{ method: 'POST', path: '/v4/orders:search', kind: 'status', status: 503, rate: 1 }]);
  const isPlannedAfterQuiet = async () => {
    const { quietUntil } = await readInstallation(platen.app);
    const order = await platen.app.db.manager.findOneBy(StorefrontOrders, { shopifyOrderId: asked.id });
    return quietUntil !== null && (order?.readAt ?? quietUntil) > quietUntil;
  };
  await eventually(() => isPlannedAfterQuiet().catch(() => false)).toBe(true);
  expect(await requestStatusOf(asked)).toBe(REQUESTED);
  await injectFaults(platen, []);
  await eventually(() => codesOf(platen, asked)).toEqual(['unknown_print_order']);
}, 240_000);
