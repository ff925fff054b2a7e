import { cancelOrderV1RequestSchema } from '../../../src/print/legacy/orders-v1.ts';
import { cancelOrder } from '../orders/cancel-order.ts';
import { moveOrder } from '../production/move-order.ts';
import { parseRequest } from '../parse-request.ts';
import type { StandIn } from '../stand-in.ts';
import { findLegacyOrders, planLegacyOrder } from './legacy-orders.ts';
import type { Host } from './promises.ts';

/**
 * Serves `POST /v1/order/cancel` (docs/rules/print-interface.md#v1-order-cancel): cancels the order that a status request for the same
 * reference shows. Throws a `Refusal`: 404 for an unknown reference, 409 once the order has been printed.
 */
export function cancelByReference(standIn: StandIn, account: string, host: Host, body: unknown): { message: string } {
  const orderReferenceId = String(parseRequest(cancelOrderV1RequestSchema, body).orderReferenceId);
  const [{ legacy, record }] = findLegacyOrders(standIn, { account, host, version: 'v1', orderReferenceId });
  if (host === 'live') cancelOrder(standIn, account, legacy.orderId);
  else standIn.books.write(planLegacyOrder(legacy, moveOrder(standIn, record, 'canceled')));
  return { message: 'Order canceled.' };
}
