import type { App } from '../../app.ts';
import type { Delivery } from '../../database/entities/deliveries.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { redactCustomer } from './redact-customer.ts';

/** Handles `customers/redact` for this shop's orders only. Safe to repeat. */
export async function receiveCustomerRedact(
  app: App,
  shop: Pick<Shop, 'id' | 'domain'>,
  delivery: Pick<Delivery, 'resourceIds' | 'receivedAt'>,
): Promise<string> {
  await redactCustomer(app, shop, delivery);
  return 'handled';
}
