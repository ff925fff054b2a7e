import { IsNull, Not, type EntityManager } from 'typeorm';
import { Holds } from '../../database/entities/orders.ts';
import type { PrintOrder } from '../../database/entities/print-orders.ts';
import { changeState } from './change-state.ts';
import { enqueueStoreUpdate } from '../enqueue/enqueue-store-update.ts';
import type { HoldCode } from '../facts/hold-codes.ts';
import { writeTimeline, type NewTimelineEntry } from './write-timeline.ts';

export interface HoldReason {
  code: HoldCode;
  /** The print interface's field that must be fixed, if any. */
  field?: string | null;
  message: string;
  /** The service's own message, shown with the hold but not in the timeline, because it may repeat data that was sent. */
  words?: string | null;
  data?: Record<string, unknown>;
  by?: string;
}

/**
 * Puts a print order on hold with a reason. If a hold with the same code is already open, no second hold is opened. Returns false if the
 * print order's state does not allow a hold, in which case nothing is changed.
 */
export async function holdPrintOrder(
  manager: EntityManager,
  printOrder: PrintOrder,
  reason: HoldReason,
  set?: Partial<PrintOrder>,
): Promise<boolean> {
  const { code, field = null, message, words = null, data = {}, by = 'platen' } = reason;
  const moved = await changeState(manager, printOrder, {
    to: 'held',
    kind: 'held',
    message: `${printOrder.reference} is held: ${message}`,
    data: { ...data, code, field },
    by,
    ...(set ? { set } : {}),
  });
  if (moved)
    await openHold(manager, printOrder, { code, field, message: words ? `${message} It says: ${words}` : message });
  return moved;
}

type HoldTarget = Pick<PrintOrder, 'id' | 'shopId' | 'storefrontOrderId' | 'shopifyFulfillmentOrderId'>;

/**
 * Opens a hold without changing the print order's state, for example for a returned parcel. Returns false if a hold with this code is
 * already open.
 */
export async function openHold(
  manager: EntityManager,
  { id: printOrderId, shopId, storefrontOrderId, shopifyFulfillmentOrderId }: HoldTarget,
  hold: { code: HoldCode; field: string | null; message: string },
): Promise<boolean> {
  const isOpen = await manager.existsBy(Holds, { printOrderId, code: hold.code, resolvedAt: IsNull() });
  if (isOpen) return false;
  await manager.insert(Holds, { shopId, storefrontOrderId, printOrderId, shopifyFulfillmentOrderId, ...hold });
  await enqueueStoreUpdate(manager, storefrontOrderId);
  return true;
}

/** Opens a hold as `openHold` does, and adds a timeline entry if the hold is new. */
export async function openHoldWithEntry(
  manager: EntityManager,
  printOrder: HoldTarget & Pick<PrintOrder, 'reference'>,
  { code, field = null, message, data = {} }: Pick<HoldReason, 'code' | 'field' | 'message' | 'data'>,
): Promise<void> {
  if (!(await openHold(manager, printOrder, { code, field, message }))) return;
  const { id: printOrderId, shopId, storefrontOrderId, reference } = printOrder;
  await writeTimeline(manager, {
    shopId,
    storefrontOrderId,
    printOrderId,
    kind: 'held',
    message: `${reference} is held: ${message}`,
    data: { ...data, code, field },
  });
}

/** Records in the timeline that a hold is resolved, and enqueues a store update. */
export async function recordResolvedHold(
  manager: EntityManager,
  { code, ...entry }: Omit<NewTimelineEntry, 'kind' | 'data'> & { code: string },
): Promise<void> {
  await writeTimeline(manager, { ...entry, kind: 'hold_resolved', data: { code } });
  await enqueueStoreUpdate(manager, entry.storefrontOrderId);
}

/**
 * Resolves the holds of a print order that continues. Holds with the code `changed_after_submit` stay open, because only the plan resolves
 * them.
 */
export async function resolveHolds(manager: EntityManager, printOrderId: string, now: Date): Promise<void> {
  const code = Not<HoldCode>('changed_after_submit');
  await manager.update(Holds, { printOrderId, code, resolvedAt: IsNull() }, { resolvedAt: now });
}

/** Resolves every open hold of a print order that has ended. */
export async function resolveAllHolds(manager: EntityManager, printOrderId: string, now: Date): Promise<void> {
  await manager.update(Holds, { printOrderId, resolvedAt: IsNull() }, { resolvedAt: now });
}
