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

/** Who says so, in no personal terms. */
export type Speaker = 'cli' | 'merchant';

/** What an act by hand is about: an order of a shop, and the print orders meant. */
export interface HandScope {
  app: App;
  shop: Shop;
  storefrontOrder: StorefrontOrder;
  /** Those of the order that are not closed for good, or that hold all the same; or the one that was named. */
  printOrders: PrintOrder[];
  /** Whether one print order was named: then nothing else of the order is meant. */
  isOneNamed: boolean;
  by: Speaker;
}

/** One act: returns in sentences what it did. Throws NotPossibleError where it makes no sense now. */
export type ActByHand = (scope: HandScope) => Promise<string[]>;

/** Writes what a person said into the order's timeline. */
export async function noteSaid(
  { shop, storefrontOrder, by }: HandScope,
  manager: EntityManager,
  entry: Pick<NewTimelineEntry, 'kind' | 'message' | 'printOrderId' | 'data'>,
): Promise<void> {
  await writeTimeline(manager, { shopId: shop.id, storefrontOrderId: storefrontOrder.id, by, ...entry });
}

/** The open holds of the print orders meant, and of the order itself unless one print order was named. */
export async function readOpenHolds(
  { storefrontOrder, printOrders, isOneNamed }: HandScope,
  manager: EntityManager,
): Promise<Hold[]> {
  const open = { storefrontOrderId: storefrontOrder.id, resolvedAt: IsNull() };
  const ofPrints = { ...open, printOrderId: In(printOrders.map(({ id }) => id)) };
  const where = isOneNamed ? ofPrints : [ofPrints, { ...open, printOrderId: IsNull() }];
  return manager.find(Holds, { where, order: { id: 'ASC' } });
}

/** Closes these holds, and says so. */
export async function resolveByHand(scope: HandScope, manager: EntityManager, holds: readonly Hold[]): Promise<void> {
  if (holds.length === 0) return;
  await manager.update(Holds, { id: In(holds.map(({ id }) => id)) }, { resolvedAt: scope.app.now() });
}

/** Waits for who is about to send one of the print orders, and reads them as they are then. */
export async function lockPrintOrders(
  { storefrontOrder, printOrders }: HandScope,
  manager: EntityManager,
): Promise<PrintOrder[]> {
  await lockOrders(manager, [storefrontOrder.id]);
  return manager.find(PrintOrders, {
    where: { id: In(printOrders.map(({ id }) => id)) },
    order: { id: 'ASC' },
  });
}

/** Throws while the print service has an order of this sale that is not known here: what is printed then may be printed twice. */
export async function refuseWhileUnknown(
  { storefrontOrder: { id: storefrontOrderId, name } }: HandScope,
  manager: EntityManager,
): Promise<void> {
  const open = { storefrontOrderId, code: 'unknown_print_order' satisfies HoldCode, resolvedAt: IsNull() };
  if (await manager.existsBy(Holds, open))
    throw new NotPossibleError(
      'unknown_print_order',
      `The print service has an order of ${name} that is not known here: choose "continue" once that is settled, or "cancel".`,
    );
}

/** Throws where nothing of the order is ever printed any more, whatever a person says here. */
export function refuseIfOver({ name, canceledAt, redactedAt, outcome, outcomeReason }: StorefrontOrder): void {
  if (canceledAt !== null) throw new NotPossibleError('order_canceled', `${name} was cancelled in the store.`);
  if (redactedAt !== null)
    throw new NotPossibleError(
      'order_erased',
      `The customer's data of ${name} was erased: nothing of it can be printed.`,
    );
  if (outcome === 'nothing_to_do' && outcomeReason !== 'canceled_by_hand')
    throw new NotPossibleError(
      'nothing_to_print',
      `Nothing of ${name} is to be printed: ${describeOutcome(outcomeReason ?? '')}`,
    );
}
