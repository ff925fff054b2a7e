import { In, IsNull, Not, type EntityManager } from 'typeorm';
import { Holds } from '../../database/entities/orders.ts';
import type { PrintOrder, PrintOrderLine } from '../../database/entities/print-orders.ts';
import { enqueueStoreUpdate } from '../enqueue/enqueue-store-update.ts';
import type { HoldCode } from '../facts/hold-codes.ts';
import { serviceHoldCodes } from '../facts/service-trouble.ts';

interface ServiceHold {
  code: HoldCode;
  message: string;
  /** The held line, or null if the whole print order is held. */
  line: Pick<PrintOrderLine, 'shopifyLineItemId'> | null;
}

/** Returns whether a hold with this code is open for the whole print order. */
export function isHeldFor(manager: EntityManager, { id: printOrderId }: PrintOrder, code: HoldCode): Promise<boolean> {
  return manager.existsBy(Holds, { printOrderId, code, shopifyLineItemId: IsNull(), resolvedAt: IsNull() });
}

/** Opens a hold without changing the print order's state. If the hold is already open, its message is replaced. */
export async function openServiceHold(
  manager: EntityManager,
  printOrder: PrintOrder,
  { code, message, line }: ServiceHold,
): Promise<void> {
  const { shopId, storefrontOrderId, id: printOrderId, shopifyFulfillmentOrderId } = printOrder;
  const shopifyLineItemId = line?.shopifyLineItemId ?? null;
  const open = { printOrderId, code, shopifyLineItemId: shopifyLineItemId ?? IsNull(), resolvedAt: IsNull() };
  const known = await manager.findOneBy(Holds, open);
  if (known?.message === message) return;
  if (known) await manager.update(Holds, { id: known.id }, { message });
  else {
    const about = { shopId, storefrontOrderId, printOrderId, shopifyFulfillmentOrderId, shopifyLineItemId };
    await manager.insert(Holds, { ...about, code, field: null, message });
  }
  await enqueueStoreUpdate(manager, storefrontOrderId);
}

/**
 * Resolves the holds whose problem is over at the service, for one line or, with `line` null, for the whole print order. Holds that the
 * merchant must resolve stay open.
 */
export async function resolveServiceHolds(
  manager: EntityManager,
  { id: printOrderId, storefrontOrderId }: PrintOrder,
  { line, except, now }: Pick<ServiceHold, 'line'> & { except: HoldCode | null; now: Date },
): Promise<void> {
  const codes = serviceHoldCodes.filter((code) => code !== except && code !== 'service_returned');
  const shopifyLineItemId = line?.shopifyLineItemId ?? IsNull();
  const open = { printOrderId, code: In(codes), shopifyLineItemId, resolvedAt: IsNull() };
  const { affected } = await manager.update(Holds, open, { resolvedAt: now });
  if (affected) await enqueueStoreUpdate(manager, storefrontOrderId);
}

/** Resolves the holds of lines, which are redundant once the whole print order has a hold with the same code. */
export async function resolveLineHolds(
  manager: EntityManager,
  printOrderId: string,
  code: HoldCode,
  now: Date,
): Promise<void> {
  const open = { printOrderId, code, shopifyLineItemId: Not(IsNull()), resolvedAt: IsNull() };
  await manager.update(Holds, open, { resolvedAt: now });
}
