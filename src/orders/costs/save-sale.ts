import type { EntityManager } from 'typeorm';
import { OrderSales } from '../../database/entities/costs.ts';
import { removeSaleReading, enqueueSaleReading } from '../enqueue/enqueue-plan.ts';
import { StorefrontOrders, type StorefrontOrder } from '../../database/entities/orders.ts';
import type { StoreReading } from '../facts/store-reading.ts';
import { findPayment } from './find-payment.ts';
import { toSale, toSaleMark } from './to-sale.ts';
import type { OrderSaleReading } from '../../shopify/calls/order-sale.ts';

/** A reading of an order, with the transaction that stores it. */
interface Reading {
  manager: EntityManager;
  storefrontOrder: StorefrontOrder;
  reading: StoreReading;
  readAt: Date;
}

/** Replaces a sale's mark if the sale must be read again. */
const OUTDATED = '';

/** Returns whether the next reading of an order must include the sale, because it has never been read or its sums have changed. */
export async function isSaleDue(manager: EntityManager, storefrontOrderId: string): Promise<boolean> {
  const known = await manager.findOneBy(OrderSales, { storefrontOrderId });
  return known === null || known.mark === OUTDATED;
}

/**
 * Stores the amount that the buyer paid if the reading includes the sale. If the reading's sums or units no longer match the stored sale,
 * for example after a refund or an edit, enqueues another reading of the sale.
 */
export async function saveSale({ manager, storefrontOrder, reading, readAt }: Reading): Promise<void> {
  const { id: storefrontOrderId } = storefrontOrder;
  const mark = toSaleMark(reading);
  if (!reading.sale) {
    const known = await manager.findOneBy(OrderSales, { storefrontOrderId });
    if (!known || known.mark === mark || known.mark === OUTDATED) return;
    await manager.update(OrderSales, { storefrontOrderId }, { mark: OUTDATED });
    return enqueueSaleReading(manager, storefrontOrderId, { waitSeconds: 0 });
  }
  await savePayment({ manager, storefrontOrder, reading: reading.sale });
  const sale = toSale(reading.sale);
  if (!sale) return;
  const row = { storefrontOrderId, sale: { ...sale }, mark, readAt };
  await manager.upsert(OrderSales, row, ['storefrontOrderId']);
  await removeSaleReading(manager, storefrontOrderId);
}

/** Stores when the order was paid. Later payments are for added items, so the first reading counts. */
async function savePayment({
  manager,
  storefrontOrder: { id, paidAt },
  reading,
}: Pick<Reading, 'manager' | 'storefrontOrder'> & { reading: OrderSaleReading }): Promise<void> {
  const payment = paidAt === null ? findPayment(reading) : null;
  if (payment) await manager.update(StorefrontOrders, { id }, { paidAt: payment });
}
