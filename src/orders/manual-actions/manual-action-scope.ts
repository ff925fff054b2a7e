import { In, IsNull, type EntityManager } from 'typeorm';
import type { App } from '../../app.ts';
import { Holds, type Hold, type StorefrontOrder } from '../../database/entities/orders.ts';
import { PrintOrders, type PrintOrder } from '../../database/entities/print-orders.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { NotPossibleError } from '../../errors.ts';
import type { HoldCode } from '../facts/hold-codes.ts';
import { describeOutcome } from '../facts/outcome-reasons.ts';
import { lockOrders } from '../rows/lock-orders.ts';
import { writeTimeline, type NewTimelineEntry } from '../record/write-timeline.ts';

/** Who performs an action. Contains no personal data. */
export type Actor = 'cli' | 'merchant' | 'flow';

/** An order and the print orders that a manual action covers. */
export interface ManualActionScope {
  app: App;
  shop: Shop;
  storefrontOrder: StorefrontOrder;
  /**
   * The print order whose reference was given or, without a reference, all print orders that are not closed permanently or still have an
   * open hold.
   */
  printOrders: PrintOrder[];
  /** Whether a reference was given, so that the action covers only that print order. */
  isOneNamed: boolean;
  by: Actor;
}

/** Performs a manual action. Returns sentences that describe what was done. Throws NotPossibleError if the action is not possible now. */
export type ManualAction = (scope: ManualActionScope) => Promise<string[]>;

/** Writes the action to the order's timeline. */
export async function writeActionToTimeline(
  { shop, storefrontOrder, by }: ManualActionScope,
  manager: EntityManager,
  entry: Pick<NewTimelineEntry, 'kind' | 'message' | 'printOrderId' | 'data'>,
): Promise<void> {
  const about = { shopId: shop.id, storefrontOrderId: storefrontOrder.id, by };
  const message = by === 'flow' ? `${entry.message} A workflow in Shopify Flow requested this.` : entry.message;
  await writeTimeline(manager, { ...about, ...entry, message });
}

/** Reads the open holds of the covered print orders. If no reference was given, also reads the holds of the order itself. */
export async function readOpenHolds(
  { storefrontOrder, printOrders, isOneNamed }: ManualActionScope,
  manager: EntityManager,
): Promise<Hold[]> {
  const open = { storefrontOrderId: storefrontOrder.id, resolvedAt: IsNull() };
  const ofPrints = { ...open, printOrderId: In(printOrders.map(({ id }) => id)) };
  const where = isOneNamed ? ofPrints : [ofPrints, { ...open, printOrderId: IsNull() }];
  return manager.find(Holds, { where, order: { id: 'ASC' } });
}

export async function resolveHoldsManually(
  scope: ManualActionScope,
  manager: EntityManager,
  holds: readonly Hold[],
): Promise<void> {
  if (holds.length === 0) return;
  await manager.update(Holds, { id: In(holds.map(({ id }) => id)) }, { resolvedAt: scope.app.clock.now() });
}

/** Waits for any job that is about to send one of the print orders, then reads the print orders. */
export async function lockPrintOrders(
  { storefrontOrder, printOrders }: ManualActionScope,
  manager: EntityManager,
): Promise<PrintOrder[]> {
  await lockOrders(manager, [storefrontOrder.id]);
  return manager.find(PrintOrders, {
    where: { id: In(printOrders.map(({ id }) => id)) },
    order: { id: 'ASC' },
  });
}

/**
 * Throws while the print service has an unknown order for this storefront order, because another print order could print the same units
 * twice.
 */
export async function refuseWhileOrderUnknown(
  { storefrontOrder: { id: storefrontOrderId, name } }: ManualActionScope,
  manager: EntityManager,
): Promise<void> {
  const open = { storefrontOrderId, code: 'unknown_print_order' satisfies HoldCode, resolvedAt: IsNull() };
  if (await manager.existsBy(Holds, open))
    throw new NotPossibleError(
      'unknown_print_order',
      `The print service has an order for ${name} that Platen does not know. Check that order, then choose "Continue" or "Cancel printing".`,
    );
}

/** Throws if no part of the order can be printed anymore, whatever action the merchant chooses. */
export function refuseIfOrderIsOver(order: StorefrontOrder): void {
  const why = findOrderOverReason(order);
  if (why) throw why;
}

/** Returns why an order whose printing was canceled by hand cannot change until it is approved. */
export function canceledByHandError({ name }: Pick<StorefrontOrder, 'name'>): NotPossibleError {
  return new NotPossibleError(
    'canceled_by_hand',
    `The printing of ${name} was canceled. To print it, choose "Approve" first.`,
  );
}

/** Returns why no part of the order can be printed anymore, or null. */
export function findOrderOverReason(order: StorefrontOrder): NotPossibleError | null {
  const { name, canceledAt, redactedAt, outcome, outcomeReason } = order;
  if (canceledAt !== null) return new NotPossibleError('order_canceled', `${name} was canceled in the store.`);
  if (redactedAt !== null)
    return new NotPossibleError(
      'order_erased',
      `The customer data of ${name} was erased, so the order cannot be printed.`,
    );
  if (outcome === 'nothing_to_do' && outcomeReason !== 'canceled_by_hand')
    return new NotPossibleError(
      'nothing_to_print',
      `There is nothing to print for ${name}. ${describeOutcome(outcomeReason ?? '')}`,
    );
  return null;
}
