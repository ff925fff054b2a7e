import type { EntityManager } from 'typeorm';
import { OrderSales } from '../../database/entities/costs.ts';
import { READINGS } from '../../jobs/priorities.ts';
import { enqueue, type Queryable } from '../../jobs/enqueue.ts';
import { removeWaiting } from '../enqueue/remove-waiting.ts';
import type { StorefrontOrder } from '../../database/entities/orders.ts';
import type { StoreReading } from '../facts/store-reading.ts';
import { toSale, toSaleMark } from './to-sale.ts';

/** Within this time, another reading of the order usually includes the sale. */
const WAIT_SECONDS = 30;
/** A reading of an order, in the transaction that stores it. */
interface Reading {
  manager: EntityManager;
  storefrontOrder: StorefrontOrder;
  reading: StoreReading;
  readAt: Date;
}

/** The mark of a sale that must be read again. */
const OUTDATED = '';

/** Whether the next reading of an order must include the sale, because the sale was never read or its sums have changed. */
export async function isSaleDue(manager: EntityManager, storefrontOrderId: string): Promise<boolean> {
  const known = await manager.findOneBy(OrderSales, { storefrontOrderId });
  return known === null || known.mark === OUTDATED;
}

/**
 * Stores what the buyer paid if the reading includes the sale. If the reading's sums or units no longer match the stored sale, for example
 * after a refund or an edit, enqueues another reading of the sale.
 */
export async function keepSale({ manager, storefrontOrder, reading, readAt }: Reading): Promise<void> {
  const { id: storefrontOrderId } = storefrontOrder;
  const mark = toSaleMark(reading);
  if (!reading.sale) {
    const known = await manager.findOneBy(OrderSales, { storefrontOrderId });
    if (!known || known.mark === mark || known.mark === OUTDATED) return;
    await manager.update(OrderSales, { storefrontOrderId }, { mark: OUTDATED });
    return enqueueSaleReading(manager, storefrontOrderId, { waitSeconds: 0 });
  }
  const sale = toSale(reading.sale);
  if (!sale) return;
  const row = { storefrontOrderId, sale: { ...sale }, mark, readAt };
  await manager.upsert(OrderSales, row, ['storefrontOrderId']);
  await removeWaiting(manager, toKey(storefrontOrderId));
}

/** Enqueues a reading of the order that includes the sale, with a lower priority than jobs that advance orders. */
export async function enqueueSaleReading(
  queryable: Queryable,
  storefrontOrderId: string,
  { waitSeconds = WAIT_SECONDS } = {},
): Promise<void> {
  const options = { key: toKey(storefrontOrderId), priority: READINGS, waitSeconds };
  await enqueue(queryable, 'plan_order', { storefrontOrderId }, options);
}

function toKey(storefrontOrderId: string): string {
  return `sale:${storefrontOrderId}`;
}
