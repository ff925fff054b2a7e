import { IsNull, Not, type EntityManager } from 'typeorm';
import type { App } from '../../app.ts';
import { OrderSales } from '../../database/entities/costs.ts';
import { StorefrontOrders } from '../../database/entities/orders.ts';
import type { PrintOrder } from '../../database/entities/print-orders.ts';
import { writeLater } from '../../database/write-later.ts';
import type { FoundOrder, PortOrder } from '../../print/port.ts';
import { enqueueSaleReading } from '../enqueue/enqueue-plan.ts';

/** The maximum number of receipts stored for each order at the service. */
const MAX_RECEIPTS = 100;

/**
 * Stores every complete receipt of a print order's orders at the service, and then enqueues a reading of the sale. Receipts that are no
 * longer returned are not deleted, because they were charged. A receipt that several orders share is stored once, with all of these
 * orders.
 */
export async function saveReceipts(
  { app, printOrder }: { app: App; printOrder: PrintOrder },
  manager: EntityManager,
  orders: readonly (FoundOrder | PortOrder)[],
): Promise<void> {
  const shown = orders.flatMap((order) => ('receipts' in order ? toRows(order) : []));
  if (shown.length === 0) return;
  const rows = [...Map.groupBy(shown, (row) => row.receipt_id).values()].map((same) => {
    return { ...same.at(-1), shown_by: same.map((row) => row.service_order_id) };
  });
  await writeLater(
    manager,
    `insert into print_receipts (print_order_id, receipt_id, service_order_id, shown_by, receipt, billing_entity, seen_at)
     select $1, r.receipt_id, r.service_order_id, r.shown_by, r.receipt, r.billing_entity, $3
     from jsonb_to_recordset($2::jsonb)
       as r(receipt_id text, service_order_id text, shown_by text[], receipt jsonb, billing_entity jsonb)
     on conflict (print_order_id, receipt_id) do update
       set receipt = excluded.receipt, billing_entity = excluded.billing_entity, service_order_id = excluded.service_order_id,
         shown_by = array(select distinct unnest(print_receipts.shown_by || print_receipts.service_order_id || excluded.shown_by)),
         seen_at = excluded.seen_at
       where (print_receipts.receipt, print_receipts.billing_entity) is distinct from (excluded.receipt, excluded.billing_entity)
         or not excluded.shown_by <@ (print_receipts.shown_by || print_receipts.service_order_id)`,
    [printOrder.id, JSON.stringify(rows), app.clock.now()],
  );
  const { storefrontOrderId } = printOrder;
  const isRedacted = await manager.existsBy(StorefrontOrders, { id: storefrontOrderId, redactedAt: Not(IsNull()) });
  if (!isRedacted && !(await manager.existsBy(OrderSales, { storefrontOrderId })))
    await enqueueSaleReading(manager, storefrontOrderId);
}

function toRows({ id, receipts, billingEntity }: PortOrder) {
  return receipts.slice(0, MAX_RECEIPTS).map((receipt, index) => ({
    receipt_id: receipt.id ?? `${id}:${index}`,
    service_order_id: id,
    receipt,
    billing_entity: billingEntity,
  }));
}
