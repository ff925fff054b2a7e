import type { App } from '../../app.ts';
import type { Backfill, FoundOrder } from '../../database/entities/backfills.ts';
import { StorefrontOrders } from '../../database/entities/orders.ts';
import type { Shop } from '../../database/entities/shops.ts';
import type { AdminApi } from '../../shopify/admin/admin-api.ts';
import type { PlacedOrder } from '../../shopify/calls/orders.ts';
import { describeOutcome } from '../facts/outcome-reasons.ts';
import { planOrder } from '../plan/decide/plan-order.ts';
import type { Plan, PlanInput } from '../plan/decide/plan.ts';
import { readOwnRows } from '../rows/own-rows.ts';
import { readStore } from '../plan/read/read-store.ts';
import { locationOf } from '../facts/store-quantities.ts';
import { toPlanInput, type OrderSaid } from '../plan/decide/to-plan-input.ts';

/**
 * Previews how a backfill would plan an order. Returns null if no part of the order would be printed. Writes nothing. Throws
 * ShopifyError.
 */
export async function previewOrder(
  app: App,
  { backfill, shop, admin, order }: { backfill: Backfill; shop: Shop; admin: AdminApi; order: PlacedOrder },
): Promise<FoundOrder | null> {
  const { manager } = app.db;
  const known = await manager.findOneBy(StorefrontOrders, { shopId: shop.id, shopifyOrderId: order.id });
  // Platen's rows are read before the store's order, so anything that is printed in between only reduces what is left to print.
  const rows = known ? await readOwnRows(manager, known.id) : { orderLines: [], prints: [] };
  const reading = await readStore(app, shop, admin, order.id);
  if (!reading) return null;
  const said: OrderSaid = { ...(known ?? NOTHING_SAID), backfilledAt: backfill.startedAt };
  const input = asAccepted(await toPlanInput(app, manager, { shop, said, reading, rows }));
  const plan = planOrder(input);
  if (plan.outcome === 'nothing_to_do') return null;
  const lines = toLines(planOrder(withoutGates(input)), reading);
  const waits = whyItWaits(plan);
  if (lines.length === 0 && waits === null) return null;
  return { orderId: order.id, name: reading.name, placedAt: new Date(order.createdAt).toISOString(), lines, waits };
}

const NOTHING_SAID: OrderSaid = {
  approvedAt: null,
  approvedTotal: null,
  approvedUnits: null,
  heldAt: null,
  cancelAskedAt: null,
  releaseAt: null,
  askAgainAt: null,
  backfilledAt: null,
  lineVariants: {},
};

/** Returns the input as it would be after Platen has requested fulfillment from its own location and accepted the request. */
function asAccepted(input: PlanInput): PlanInput {
  const asked = new Set(input.settings.submitsRequests ? ['SUBMITTED', 'UNSUBMITTED'] : ['SUBMITTED']);
  const fulfillmentOrders = input.order.fulfillmentOrders.map((one) => {
    const isAsked = locationOf(one, input.shop.locationId) === 'ours' && asked.has(one.requestStatus);
    return isAsked ? { ...one, requestStatus: 'ACCEPTED' } : one;
  });
  return { ...input, order: { ...input.order, fulfillmentOrders } };
}

/** Removes Platen's release conditions (approval, manual hold, daily release and delay) from the input. */
function withoutGates(input: PlanInput): PlanInput {
  const said = { ...input.said, approvedAt: input.now, approvedTotal: null, approvedUnits: null, heldAt: null };
  return { ...input, said, settings: { ...input.settings, release: 'automatic', delayMinutes: 0 } };
}

function toLines({ wanted }: Plan, { lineItems }: PlanInput['order']): FoundOrder['lines'] {
  const units = new Map<string, number>();
  for (const { shopifyLineItemId, quantity } of wanted.flatMap(({ items }) => items))
    units.set(shopifyLineItemId, (units.get(shopifyLineItemId) ?? 0) + quantity);
  return lineItems.flatMap(({ id, sku }) => {
    const quantity = units.get(id);
    return quantity === undefined ? [] : [{ sku, quantity }];
  });
}

function whyItWaits({ outcome, reason, holds, waits }: Plan): string | null {
  if (holds.length > 0) return holds.map(({ message }) => message).join(' ');
  const why = outcome === 'waiting' ? reason : (waits[0]?.reason ?? null);
  return why === null ? null : describeOutcome(why);
}
