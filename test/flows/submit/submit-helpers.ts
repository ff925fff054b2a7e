import { In } from 'typeorm';
import { expect } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import {
  Deviations,
  PrintOrders,
  SubmitAttempts,
  type Deviation,
  type PrintOrder,
  type SubmitAttempt,
} from '../../../src/database/entities/print-orders.ts';
import { StorefrontOrders } from '../../../src/database/entities/orders.ts';
import { PrintLinks, type PrintLink } from '../../../src/database/entities/products.ts';
import { enqueuePlan } from '../../../src/orders/enqueue/enqueue-plan.ts';
import { decryptBody } from '../../../src/orders/facts/recipient-column.ts';
import type { Platen, PlacedOrder, PrintedOrder } from '../../helpers/platen.ts';
import { IS_DUE } from '../../helpers/until-idle.ts';
import { eventually } from '../../helpers/eventually.ts';

/** Makes searches fail. A search precedes every create request, so nothing is submitted. */
export const SEARCH_FAILS = { method: 'POST', path: '/v4/orders:search', rate: 1, kind: 'status', status: 500 };

/** Does something to an order in the store, for example `inStore(platen, order, 'cancel')`. */
export async function inStore(
  { control }: Platen,
  { id }: { id: string },
  endpoint: string,
  body: object = {},
): Promise<void> {
  await control('store', 'POST', `/orders/${encodeURIComponent(id)}/${endpoint}`, body);
}

/** Moves the stock of a SKU to the merchant's own location, or back to Platen's. */
export async function stockAt({ control }: Platen, sku: string, location: 'own' | 'service'): Promise<void> {
  const variants = (await control('store', 'GET', '/variants')) as { sku: string; variantId: string }[];
  const { variantId = '' } = variants.find((one) => one.sku === sku) ?? {};
  await control('store', 'POST', `/variants/${encodeURIComponent(variantId)}/stock`, { location });
}

/** Places an order that is quoted but not submitted until the faults are cleared. */
export async function placeUnsubmitted(platen: Platen, lines: Record<string, number> = { 'POSTER-30X40': 1 }) {
  await injectFaults(platen, [SEARCH_FAILS]);
  const order = await platen.placeSkus(lines);
  return { order, printOrder: await untilPrintOrder(platen, order, ({ state }) => state === 'quoted') };
}

/** Places an order that is quoted but cannot be created until the faults are cleared, because the service returns 429. */
export async function placeWaitingToSubmit(platen: Platen, lines: Record<string, number>): Promise<PlacedOrder> {
  await injectFaults(platen, [{ path: '/v3/orders', rate: 1, kind: 'status', status: 429 }]);
  const order = await platen.placeSkus(lines);
  await eventually(() => platen.timeline(order.id)).toContain('not_made');
  await untilNoDueJobs(platen, order);
  return order;
}

/** Replaces the faults that a stand-in injects. An empty list clears them. */
export async function injectFaults(
  { control }: Platen,
  faults: object[],
  of: 'print' | 'store' = 'print',
): Promise<void> {
  await control(of, 'POST', '/faults', faults);
}

/** Returns the print orders of a storefront order in the database, oldest part first, including closed ones. */
export async function printOrdersOf({ app }: Platen, { id }: { id: string }): Promise<PrintOrder[]> {
  const order = await app.db.manager.findOneBy(StorefrontOrders, { shopifyOrderId: id });
  if (!order) return [];
  return app.db.manager.find(PrintOrders, { where: { storefrontOrderId: order.id }, order: { part: 'ASC' } });
}

/** Returns the deviations of a storefront order's print orders. Print orders without a deviation are left out. */
export async function deviationsOf(platen: Platen, order: { id: string }): Promise<Deviation[]> {
  const printOrders = await printOrdersOf(platen, order);
  return platen.app.db.manager.findBy(Deviations, { printOrderId: In(printOrders.map(({ id }) => id)) });
}

/** Returns the create attempts of a storefront order. */
export async function attemptsOf(platen: Platen, order: { id: string }): Promise<SubmitAttempt[]> {
  const printOrders = await printOrdersOf(platen, order);
  const attempts = await Promise.all(
    printOrders.map(({ id }) =>
      platen.app.db.manager.find(SubmitAttempts, { where: { printOrderId: id }, order: { id: 'ASC' } }),
    ),
  );
  return attempts.flat();
}

/** Enqueues a plan of the order, as an event about the order does. */
export async function requestReplan({ app }: Platen, { id }: { id: string }): Promise<void> {
  const order = await app.db.manager.findOneByOrFail(StorefrontOrders, { shopifyOrderId: id });
  await enqueuePlan(app.db.manager, order.id);
}

/** Waits until no job of a storefront order is due. */
export async function untilNoDueJobs({ app }: Platen, { id }: { id: string }): Promise<void> {
  const order = await app.db.manager.findOneByOrFail(StorefrontOrders, { shopifyOrderId: id });
  const due = async (): Promise<unknown[]> =>
    app.db.query(
      `select task_identifier from graphile_worker.jobs where (${IS_DUE} or run_at <= now() + interval '300 milliseconds')
         and (queue_name = $1 or task_identifier = 'handle_delivery')`,
      [`order:${order.id}`],
    );
  await eventually(due).toEqual([]);
}

/** Runs an order's waiting submit and quote jobs immediately. */
export async function runSubmitJobsNow({ app }: Platen, order: { id: string }): Promise<void> {
  const { id } = await app.db.manager.findOneByOrFail(StorefrontOrders, { shopifyOrderId: order.id });
  const jobs: { key: string }[] = await app.db.query(
    `select key from graphile_worker.jobs where queue_name = $1 and key is not null and run_at > now() and locked_at is null`,
    [`order:${id}`],
  );
  for (const { key } of jobs) {
    const [, printOrderId = ''] = key.split(':');
    const options = { queue: `order:${id}`, key };
    if (key.startsWith('submit:')) await app.jobs.enqueue(app.db, 'submit_print_order', { printOrderId }, options);
    if (key.startsWith('quote:')) await app.jobs.enqueue(app.db, 'quote_order', { storefrontOrderId: id }, options);
  }
}

/** Returns all orders and drafts at the service for an order, including deleted drafts. */
export async function atService(platen: Platen, { name }: PlacedOrder): Promise<PrintedOrder[]> {
  const printed = await platen.printed();
  return printed.filter(({ metadata }) => metadata.some(({ key, value }) => key === 'order' && value === name));
}

/** Waits until each order is printed by exactly one order at the service. In real time, waiting retries run immediately. */
export async function untilPrintedOnce(platen: Platen, orders: PlacedOrder[]): Promise<void> {
  const isReal = platen.app.clock === systemClock;
  const states = () =>
    Promise.all(
      orders.map(async ({ id }) => {
        const [printOrder] = (await printOrdersOf(platen, { id })).filter(({ fencedAt }) => fencedAt === null);
        if (printOrder?.confirmedAt === null && isReal) await runSubmitJobsNow(platen, { id });
        return printOrder?.confirmedAt ? 'confirmed' : (printOrder?.state ?? 'none');
      }),
    );
  await eventually(states).toEqual(orders.map(() => 'confirmed'));
  for (const order of orders) expect(await platen.printedFor(order.name), order.name).toHaveLength(1);
}

/** Waits until an order has a matching print order, and returns that print order. */
export async function untilPrintOrder(
  platen: Platen,
  order: { id: string },
  isThere: (printOrder: PrintOrder) => boolean,
): Promise<PrintOrder> {
  let found: PrintOrder | undefined;
  // Stores the matching print order, because its state may have changed by the next read.
  const look = async () => (found = (await printOrdersOf(platen, order)).find(isThere));
  await eventually(look).toBeDefined();
  if (!found) throw new Error('No matching print order was found.');
  return found;
}

/** Places the same order at the service under a print order's reference, as if someone else had placed it. */
export async function placeDuplicate(
  platen: Platen,
  printOrder: PrintOrder,
  change: object,
  origin: { channel: string; storeId?: string } = { channel: 'api' },
): Promise<PrintedOrder> {
  const order = { ...decryptBody(platen.app, printOrder), orderType: 'order', ...change };
  const placed = await platen.control('print', 'POST', '/orders', { key: 'sandbox-key', ...origin, order });
  return placed as PrintedOrder;
}

/** Deletes all of an order's printing data from the database, as if an older backup had been restored. */
export async function deletePrintingData({ app }: Platen, { id }: { id: string }): Promise<void> {
  const { id: storefrontOrderId } = await app.db.manager.findOneByOrFail(StorefrontOrders, { shopifyOrderId: id });
  await app.db.query('delete from holds where storefront_order_id = $1', [storefrontOrderId]);
  await app.db.query('delete from timeline_entries where storefront_order_id = $1', [storefrontOrderId]);
  for (const table of ['service_orders', 'submit_attempts', 'print_order_lines'])
    await app.db.query(
      `delete from ${table} where print_order_id in (select id from print_orders where storefront_order_id = $1)`,
      [storefrontOrderId],
    );
  await app.db.query('delete from print_orders where storefront_order_id = $1', [storefrontOrderId]);
  await app.db.query('delete from printed_lines');
  await app.db.query(
    `update storefront_orders o set next_part = 1,
       reference_numbers = (select jsonb_object_agg(key, 0) from jsonb_each(o.reference_numbers)) where id = $1`,
    [storefrontOrderId],
  );
}

/** Changes the print link of a SKU of the demo shop. */
export async function changeLink({ app }: Platen, sku: string, change: Partial<PrintLink>): Promise<void> {
  await app.db.manager.update(PrintLinks, { sku }, change);
}
