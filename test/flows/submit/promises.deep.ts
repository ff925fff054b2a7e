import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { StorefrontOrders, TimelineEntries } from '../../../src/database/entities/orders.ts';
import { startPlaten, type Platen, type PlacedOrder } from '../../helpers/platen.ts';
import { liveOrders, placePoster, untilSubmitted } from './earlier-interface.ts';
import { attemptsOf, runSubmitJobsNow, injectFaults, printOrdersOf, untilPrintOrder } from './submit-helpers.ts';
import { eventually } from '../../helpers/eventually.ts';

const QUICK = { PRINT_TIMEOUT_SECONDS: '1', SUBMIT_DEADLINE_SECONDS: '0.5', SUBMIT_QUIET_SECONDS: '3' };
const fault = (printInterface: string, call: string) => ({ path: `/${printInterface}/${call}`, rate: 1 });

async function kindsOf({ app }: Platen, { id }: PlacedOrder): Promise<string[]> {
  const { id: storefrontOrderId } = await app.db.manager.findOneByOrFail(StorefrontOrders, { shopifyOrderId: id });
  const entries = await app.db.manager.find(TimelineEntries, { where: { storefrontOrderId }, order: { id: 'ASC' } });
  return entries.map(({ kind }) => kind);
}

describe('promises of the earlier interface', () => {
  let platen: Platen;

  beforeAll(async () => {
    platen = await startPlaten({ advanceSeconds: null, environment: QUICK, settings: { printInterface: 'v2' } });
  });
  afterAll(() => platen.stop());
  afterEach(async () => {
    await injectFaults(platen, []);
    await platen.control('print', 'POST', '/promises', { lifeSeconds: null });
  });

  test('a promise that expires before the order is sent is replaced by a new quote', async () => {
    await injectFaults(platen, [{ ...fault('v2', 'order/status'), kind: 'status', status: 500 }]);
    await platen.control('print', 'POST', '/promises', { lifeSeconds: 4 });
    const order = await placePoster(platen);
    const before = await untilPrintOrder(platen, order, ({ state }) => state === 'quoted');
    await eventually(() => Date.now() - before.updatedAt.getTime()).toBeGreaterThan(3_000);
    await platen.control('print', 'POST', '/promises', { lifeSeconds: null });
    await injectFaults(platen, []);
    await runSubmitJobsNow(platen, order);
    await untilSubmitted(platen, order);
    const kinds = await kindsOf(platen, order);
    expect(kinds.filter((kind) => kind === 'quoted_anew')).toHaveLength(1);
    expect(kinds.filter((kind) => kind === 'quoted')).toHaveLength(2);
    expect(await liveOrders(platen, order)).toHaveLength(1);
  });

  test('a promise that expires after a create request closes the reference, and the successor is printed', async () => {
    await injectFaults(platen, [{ ...fault('v2', 'order/create'), times: 100, kind: 'status', status: 429 }]);
    await platen.control('print', 'POST', '/promises', { lifeSeconds: 4 });
    const order = await placePoster(platen);
    const first = await untilPrintOrder(platen, order, ({ state }) => state === 'quoted' || state === 'submitting');
    await eventually(async () => (await attemptsOf(platen, order))[0]?.outcome).toBe('nothing_made');
    await eventually(() => Date.now() - first.updatedAt.getTime()).toBeGreaterThan(3_000);
    await platen.control('print', 'POST', '/promises', { lifeSeconds: null });
    await injectFaults(platen, []);
    const live = async () => {
      await runSubmitJobsNow(platen, order);
      return (await liveOrders(platen, order)).length;
    };
    await eventually(live).toBe(1);
    const printOrders = await printOrdersOf(platen, order);
    const closed = printOrders.slice(0, -1);
    // On a slow machine, a second promise may also expire.
    expect(closed.length).toBeGreaterThan(0);
    for (const { closedReason, fencedAt } of closed) {
      expect(closedReason).toBe('promise_over');
      expect(fencedAt).not.toBeNull();
    }
    expect(printOrders.at(-1)?.closedReason).toBeNull();
  });

  test('an order is held if the service’s promise has already expired on arrival, and the hold names the expiration field', async () => {
    await platen.control('print', 'POST', '/promises', { lifeSeconds: 1 });
    const order = await placePoster(platen);
    const { holds } = await platen.untilState(order.id, 'held');
    expect(holds).toMatchObject([{ code: 'no_shipment_method', field: 'promiseExpirationDateTime' }]);
  });
});
