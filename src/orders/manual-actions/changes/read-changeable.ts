import { IsNull, type EntityManager } from 'typeorm';
import { Holds, StorefrontOrders } from '../../../database/entities/orders.ts';
import { readOwnRows, type OwnRows } from '../../rows/own-rows.ts';
import { withName } from '../find-order.ts';
import type { ChangeableOrder } from './changeable-order.ts';

/** Reads an order with the rows that determine which changes are still possible. */
export async function readChangeable(
  manager: EntityManager,
  storefrontOrderId: string,
): Promise<ChangeableOrder & { rows: OwnRows }> {
  const order = withName(await manager.findOneByOrFail(StorefrontOrders, { id: storefrontOrderId }));
  const rows = await readOwnRows(manager, storefrontOrderId);
  const isHeld = await manager.existsBy(Holds, { storefrontOrderId, printOrderId: IsNull(), resolvedAt: IsNull() });
  return { order, prints: rows.prints, isHeld, rows };
}
