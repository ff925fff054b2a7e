import type { App } from '../../app.ts';
import type { Backfill, FoundOrder } from '../../database/entities/backfills.ts';
import { StorefrontOrders } from '../../database/entities/orders.ts';
import type { Shop } from '../../database/entities/shops.ts';
import type { AdminApi } from '../../shopify/admin/admin-api.ts';
import type { PlacedOrder } from '../../shopify/calls/orders.ts';
import { describeOutcome } from '../facts/outcome-reasons.ts';
import { withRequestsAccepted, withoutGates } from '../plan/decide/released-input.ts';
import { planOrder } from '../plan/decide/plan-order.ts';
import type { Plan, PlanInput } from '../plan/decide/plan.ts';
import { readOwnRows } from '../rows/own-rows.ts';
import { readStore } from '../plan/read/read-store.ts';
import { toPlanInput, type OrderPlanColumns } from '../plan/decide/to-plan-input.ts';

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
  // Platen's rows are read before the store's order. An order that is sent to print in between may still be listed, but no order is left
  // out.
  const rows = known ? await readOwnRows(manager, known.id) : { orderLines: [], prints: [] };
  const reading = await readStore(app, shop, admin, order.id);
  if (!reading) return null;
  const columns: OrderPlanColumns = { ...(known ?? NO_MERCHANT_DECISIONS), backfilledAt: backfill.startedAt };
  const input = withRequestsAccepted(await toPlanInput(app, manager, { shop, columns, reading, rows }));
  const plan = planOrder(input);
  if (plan.outcome === 'nothing_to_do') return null;
  const lines = toLines(planOrder(withoutGates(input)), reading);
  const waits = findWaitReason(plan);
  if (lines.length === 0 && waits === null) return null;
  return { orderId: order.id, name: reading.name, placedAt: new Date(reading.createdAt).toISOString(), lines, waits };
}

const NO_MERCHANT_DECISIONS: OrderPlanColumns = {
  approvedAt: null,
  approvedTotal: null,
  approvedUnits: null,
  heldAt: null,
  cancelAskedAt: null,
  addressCorrectedAt: null,
  releaseAt: null,
  askAgainAt: null,
  backfilledAt: null,
  lineVariants: {},
};

function toLines({ wanted }: Plan, { lineItems }: PlanInput['order']): FoundOrder['lines'] {
  const units = new Map<string, number>();
  for (const { shopifyLineItemId, quantity } of wanted.flatMap(({ items }) => items))
    units.set(shopifyLineItemId, (units.get(shopifyLineItemId) ?? 0) + quantity);
  return lineItems.flatMap(({ id, sku }) => {
    const quantity = units.get(id);
    return quantity === undefined ? [] : [{ sku, quantity }];
  });
}

function findWaitReason({ outcome, reason, holds, waits }: Plan): string | null {
  if (holds.length > 0) return holds.map(({ message }) => message).join(' ');
  const why = outcome === 'waiting' ? reason : (waits[0]?.reason ?? null);
  return why === null ? null : describeOutcome(why);
}
