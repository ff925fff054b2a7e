import type { App } from '../../app.ts';
import { Holds, StorefrontOrders, type StorefrontOrder } from '../../database/entities/orders.ts';
import { PrintOrders } from '../../database/entities/print-orders.ts';
import type { HoldCode } from '../facts/hold-codes.ts';
import { writeTimeline } from './write-timeline.ts';

/**
 * Returns the hold message for an order that has one of Platen's references and exists at the service, but not in the database. Platen
 * finds the hold again by this message.
 */
export function describeUnknownOrder(reference: string): string {
  return `The print service has the order ${reference}, which belongs to this order but is unknown to Platen.`;
}

/** Holds a storefront order once for each unknown order at the print service. A hold that someone has resolved is not repeated. */
export async function holdUnknownOrder(
  app: App,
  { id: storefrontOrderId, shopId }: Pick<StorefrontOrder, 'id' | 'shopId'>,
  reference: string,
): Promise<void> {
  const code: HoldCode = 'unknown_print_order';
  const message = describeUnknownOrder(reference);
  await app.db.transaction(async (manager) => {
    const lock = { mode: 'for_no_key_update' } as const;
    const current = await manager.findOne(StorefrontOrders, { where: { id: storefrontOrderId }, lock });
    // If a plan has since created a print order with this reference, its submit step searches for the order at the service and adopts it.
    if (!current || (await manager.existsBy(PrintOrders, { reference }))) return;
    // The order is already held, or someone has resolved the hold for this reference.
    if (await manager.existsBy(Holds, { storefrontOrderId, code, message })) return;
    await manager.insert(Holds, { shopId, storefrontOrderId, code, message });
    const entry = { shopId, storefrontOrderId, kind: 'held', message: `Held: ${message}`, data: { code, reference } };
    await writeTimeline(manager, entry);
  });
}
