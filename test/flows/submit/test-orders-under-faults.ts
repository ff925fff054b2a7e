import { afterAll, beforeAll, expect, test } from 'vitest';
import { listOrders } from '../../../src/orders/lists/list-orders.ts';
import { groupConnected } from '../../../src/orders/facts/found-orders.ts';
import { startPlaten, type Platen, type PlacedOrder, type PrintedOrder } from '../../helpers/platen.ts';
import { eventually } from '../../helpers/eventually.ts';

/** Faults of the service's earlier interfaces. */
const LEGACY_FAULTS = ['v1', 'v2'].flatMap((version) => [
  { method: 'POST', path: `/${version}/order/create`, rate: 0.06, kind: 'status', status: 500, effect: 'none' },
  { method: 'POST', path: `/${version}/order/create`, rate: 0.06, kind: 'status', status: 500, effect: 'done' },
  { method: 'POST', path: `/${version}/order/create`, rate: 0.05, kind: 'reset', effect: 'done' },
  { method: 'POST', path: `/${version}/order/create`, rate: 0.05, kind: 'timeout', effect: 'late', lateMs: 1500 },
  { method: 'POST', path: `/${version}/order/create`, rate: 0.05, kind: 'status', status: 429, effect: 'none' },
  { method: 'GET', path: `/${version}/order/status`, rate: 0.1, kind: 'status', status: 503, effect: 'none' },
  { method: 'POST', path: `/${version}/quote`, rate: 0.1, kind: 'status', status: 502, effect: 'none' },
]);
const PRINT_FAULTS = [
  ...LEGACY_FAULTS,
  { method: 'POST', path: '/v3/orders', rate: 0.06, kind: 'status', status: 500, effect: 'none' },
  { method: 'POST', path: '/v3/orders', rate: 0.06, kind: 'status', status: 500, effect: 'done' },
  { method: 'POST', path: '/v3/orders', rate: 0.05, kind: 'reset', effect: 'done' },
  { method: 'POST', path: '/v3/orders', rate: 0.05, kind: 'timeout', effect: 'late', lateMs: 1500 },
  { method: 'POST', path: '/v3/orders', rate: 0.04, kind: 'truncate', effect: 'done' },
  { method: 'POST', path: '/v3/orders', rate: 0.05, kind: 'status', status: 429, effect: 'none' },
  { method: 'PATCH', path: '/v4/orders', rate: 0.1, kind: 'status', status: 500, effect: 'none' },
  { method: 'PATCH', path: '/v4/orders', rate: 0.1, kind: 'reset', effect: 'done' },
  { method: 'PATCH', path: '/v4/orders', rate: 0.05, kind: 'timeout', effect: 'late', lateMs: 1500 },
  { method: 'GET', path: '/v4/orders', rate: 0.1, kind: 'status', status: 503, effect: 'none' },
  { method: 'POST', path: '/v4/orders:search', rate: 0.1, kind: 'status', status: 500, effect: 'none' },
  { method: 'POST', path: '/v4/orders:quote', rate: 0.1, kind: 'status', status: 502, effect: 'none' },
  { method: 'DELETE', path: '/v4/orders', rate: 0.1, kind: 'reset', effect: 'done' },
  { searchLagMs: 500 },
];

const STORE_FAULTS = [
  { operation: 'CreateFulfillment', rate: 0.15, kind: 'reset', effect: 'done' },
  { operation: 'CreateFulfillment', rate: 0.02, kind: 'status', status: 500, effect: 'none' },
  { operation: 'OrderForPlan', rate: 0.1, kind: 'status', status: 502, effect: 'none' },
  { operation: 'RequestFulfillment', rate: 0.1, kind: 'reset', effect: 'done' },
  { operation: 'AcceptFulfillmentRequest', rate: 0.1, kind: 'reset', effect: 'done' },
];

const CARTS: Record<string, number>[] = [
  { 'POSTER-30X40': 1 },
  { 'MUG-11OZ': 2, 'TSHIRT-M': 1 },
  { 'POSTER-13X18': 1, VASE: 1 },
  { 'BOOK-28': 1, 'MUG-15OZ': 1 },
];
const OWN_STOCK = new Set(['VASE']);

/** The setup of one test under faults. */
interface FaultTest {
  settings: Record<string, unknown>;
  orders: number;
  /** The maximum number of held orders. */
  mayBeHeld: number;
}

/**
 * Places orders while requests to the service and the store fail with no effect, an immediate effect or a late effect. Compares the records
 * of the service and the store at the end.
 */
export function testOrdersUnderFaults({ settings, orders, mayBeHeld }: FaultTest): void {
  let platen: Platen;

  beforeAll(async () => {
    const environment = {
      PRINT_TIMEOUT_SECONDS: '1',
      SUBMIT_DEADLINE_SECONDS: '0.5',
      SUBMIT_QUIET_SECONDS: '4',
      POLL_SECONDS: '2',
    };
    platen = await startPlaten({ environment, settings });
  });
  afterAll(() => platen.stop());

  test('every order is printed once, and each package reaches the store once', { timeout: 900_000 }, async () => {
    // This known order is the control for the searches of direct orders.
    const control = await platen.placeSkus({ CARDS: 1 });
    await platen.untilState(control.id, 'fulfilled');
    await platen.control('print', 'POST', '/faults', PRINT_FAULTS);
    await platen.control('store', 'POST', '/faults', STORE_FAULTS);
    await platen.control('print', 'POST', '/webhooks', { drop: 0.2, duplicate: 0.2, shuffleMs: 300 });
    await platen.control('store', 'POST', '/webhooks', { drop: 0.1, duplicate: 0.2, shuffleMs: 300 });
    const placed: PlacedOrder[] = [];
    for (let index = 0; index < orders; index += 1)
      placed.push(await platen.placeSkus(CARTS[index % CARTS.length] ?? {}, { shippingAddress: addressOf(index) }));
    await eventually(() => listOpen(platen, placed)).toEqual([]);
    await platen.control('print', 'POST', '/faults', []);

    const printed = (await platen.printed()).filter((order) => order.orderType === 'order' && order.deleted !== true);
    const stored = (await platen.control('store', 'GET', '/orders')) as (PlacedOrder & {
      fulfillments: { notifications: number }[];
    })[];
    const faults = (await platen.control('store', 'GET', '/faults')) as { injected: Record<string, number> };
    expect(Object.values(faults.injected).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(10);
    const held = await findHeldIds(platen);
    const skus = await readSkusByProduct(platen);
    expect(held.size, await codesOf(platen, held)).toBeLessThanOrEqual(mayBeHeld);
    for (const order of stored.filter(({ id }) => placed.some((one) => one.id === id))) {
      const own = filterByOrder(
        printed,
        placed.findIndex(({ id }) => id === order.id),
      );
      expect(findDuplicates(own), order.name).toEqual([]);
      if (held.has(order.id)) continue;
      expect(unitsPrinted(own, skus), order.name).toEqual(unitsOrdered(order));
      expect(unitsFulfilled(order), order.name).toEqual(unitsOrdered(order));
      const codes = order.fulfillments.flatMap(({ trackingCodes }) => trackingCodes);
      expect(new Set(codes).size, order.name).toBe(codes.length);
      for (const { notifications } of order.fulfillments) expect(notifications, order.name).toBe(1);
    }
  });
}

/** Lists the orders that are neither fulfilled in the store nor held, with their progress. */
async function listOpen(platen: Platen, placed: PlacedOrder[]): Promise<string[]> {
  const orders = (await platen.control('store', 'GET', '/orders')) as PlacedOrder[];
  const held = await findHeldIds(platen);
  const mine = orders.filter(({ id }) => placed.some((one) => one.id === id) && !held.has(id));
  const open = mine.filter((order) => JSON.stringify(unitsFulfilled(order)) !== JSON.stringify(unitsOrdered(order)));
  return Promise.all(
    open.map(async ({ id, name }) => {
      const listed = await platen.listed(id).catch(() => null);
      const states = listed?.printOrders.map(({ reference, state }) => `${reference} ${state}`).join(', ');
      const jobs: { key: string; wait: number }[] = await platen.app.db.query(
        `select j.key, extract(epoch from j.run_at - now())::int as wait from graphile_worker.jobs j
         join storefront_orders o on j.queue_name = 'order:' || o.id where o.shopify_order_id = $1`,
        [id],
      );
      const waits = jobs.map(({ key, wait }) => `${key} in ${wait} s`).join(', ');
      const last = (await platen.timeline(id)).slice(-12).join(' ');
      return `${name} ${listed?.state ?? 'not listed'}: ${states ?? ''}; ${waits}; ${last}`;
    }),
  );
}

async function findHeldIds(platen: Platen): Promise<Set<string>> {
  const held = new Set<string>();
  for await (const { orderId, state } of listOrders(platen.app, platen.shop)) if (state === 'held') held.add(orderId);
  return held;
}

/** Returns the codes of the holds for the message of a failed test. */
async function codesOf(platen: Platen, held: ReadonlySet<string>): Promise<string> {
  const listed = await Promise.all([...held].map((id) => platen.listed(id)));
  return listed.flatMap(({ holds }) => holds.map(({ code, message }) => `${code}: ${message}`)).join(', ');
}

function sum(entries: [string, number][]): Record<string, number> {
  const units: Record<string, number> = {};
  for (const [sku, quantity] of entries.toSorted(([a], [b]) => a.localeCompare(b)))
    units[sku] = (units[sku] ?? 0) + quantity;
  return units;
}

const unitsOrdered = (order: PlacedOrder) =>
  sum(order.lines.filter(({ sku }) => !OWN_STOCK.has(sku)).map(({ sku, quantity }) => [sku, quantity]));

const unitsFulfilled = (order: PlacedOrder) =>
  sum(order.fulfillments.flatMap(({ lines }) => lines.map(({ sku, quantity }): [string, number] => [sku, quantity])));

/** Returns an address whose last name identifies the order, because a test may find nothing else about the order at the service. */
function addressOf(index: number): Record<string, string> {
  return {
    firstName: 'Marigold',
    lastName: `Buyer${index}`,
    address1: '451 Clarkson Ave',
    city: 'New York',
    zip: '11203',
    provinceCode: 'NY',
    countryCode: 'US',
  };
}

function filterByOrder(printed: PrintedOrder[], index: number): PrintedOrder[] {
  return printed.filter(({ shippingAddress }) => shippingAddress['lastName'] === `Buyer${index}`);
}

async function readSkusByProduct(platen: Platen): Promise<Map<string | null, string>> {
  const variants = await platen.control('store', 'GET', '/variants');
  return new Map(
    (variants as { productUid: string | null; sku: string }[]).map(({ productUid, sku }) => [productUid, sku]),
  );
}

function unitsPrinted(own: PrintedOrder[], skus: ReadonlyMap<string | null, string>): Record<string, number> {
  const items = own.flatMap((one) => one.items);
  return sum(items.map(({ productUid, quantity }) => [skus.get(productUid) ?? productUid, quantity]));
}

/** Returns the references with more than one group of connected orders. */
function findDuplicates(own: PrintedOrder[]): string[] {
  const orders = own.map((order) => ({ ...order, connectedOrderIds: order.connectedOrderIds ?? [] }));
  const references = [...new Set(orders.map(({ orderReferenceId }) => orderReferenceId))];
  return references.filter(
    (reference) => groupConnected(orders.filter((one) => one.orderReferenceId === reference)).length > 1,
  );
}
