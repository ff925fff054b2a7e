import { Shops } from '../../../src/database/entities/shops.ts';
import {
  performManualAction,
  type ManualActionResult,
} from '../../../src/orders/manual-actions/perform-manual-action.ts';
import type { Action } from '../../../src/orders/manual-actions/hold-actions.ts';
import type { Platen, PlacedOrder } from '../../helpers/platen.ts';
import { untilNoDueJobs } from '../submit/submit-helpers.ts';
import { eventually } from '../../helpers/eventually.ts';

/** Acts on an order as the merchant. `printOrder` is the reference of the print order to act on, or null for all print orders. */
export async function act(
  { app, shop: { id } }: Platen,
  order: { id: string },
  action: Action,
  printOrder: string | null = null,
): Promise<ManualActionResult> {
  const shop = await app.db.manager.findOneByOrFail(Shops, { id });
  return performManualAction(app, shop, { order: order.id, action, printOrder, by: 'merchant' });
}

/** Returns the codes of an order's open holds. */
export async function codesOf(platen: Platen, { id }: { id: string }): Promise<string[]> {
  return (await platen.listed(id)).holds.map(({ code }) => code);
}

/** Returns an order's timeline entries of one kind, oldest first, each with its author. */
export async function entriesOf(
  { app }: Platen,
  { id }: { id: string },
  kind: string,
): Promise<{ message: string; by: string }[]> {
  return app.db.query(
    `select t.message, t.by from timeline_entries t join storefront_orders o on o.id = t.storefront_order_id
     where o.shopify_order_id = $1 and t.kind = $2 order by t.id`,
    [id, kind],
  );
}

/** Waits until exactly these holds of an order are open. */
export async function untilCodes(platen: Platen, order: { id: string }, codes: string[]): Promise<void> {
  await eventually(() => codesOf(platen, order).catch(() => ['not listed'])).toEqual(codes);
}

/** Places an order for a poster and waits until the print service is printing it and none of its jobs is due. */
export async function placePrinted(platen: Platen): Promise<{ order: PlacedOrder; serviceOrderId: string }> {
  const order = await platen.placeSkus({ 'POSTER-30X40': 1 });
  await platen.untilState(order.id, 'printing');
  await untilNoDueJobs(platen, order);
  const [printed] = await platen.printedFor(order.name);
  return { order, serviceOrderId: printed?.id ?? '' };
}
