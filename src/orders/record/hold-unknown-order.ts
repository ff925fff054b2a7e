import type { App } from '../../app.ts';
import { Holds, StorefrontOrders, type StorefrontOrder } from '../../database/entities/orders.ts';
import { PrintOrders } from '../../database/entities/print-orders.ts';
import type { HoldCode } from '../facts/hold-codes.ts';
import { writeTimeline } from './write-timeline.ts';

/** The hold message for an order of ours at the print service that the database does not know. It also identifies the hold. */
export function describeUnknownOrder(reference: string): string {
  return `The print service has an order ${reference} of this sale that is not known here.`;
}

/** Holds a sale for an unknown order at the print service: once for each, even if someone has settled that hold since. */
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
    // Planned again meanwhile: it is known now, and is looked for before anything is created.
    if (!current || (await manager.existsBy(PrintOrders, { reference }))) return;
    // Already held, or settled by someone who has seen this very order.
    if (await manager.existsBy(Holds, { storefrontOrderId, code, message })) return;
    await manager.insert(Holds, { shopId, storefrontOrderId, code, message });
    const entry = { shopId, storefrontOrderId, kind: 'held', message: `Held: ${message}`, data: { code, reference } };
    await writeTimeline(manager, entry);
  });
}
