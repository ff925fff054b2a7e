import { Refusal } from '../../refusal.ts';
import { exactJson } from '../graphql/exact-json.ts';
import { toNumericId, toGid } from '../graphql/gid.ts';
import type { Order, Shop } from '../state.ts';
import type { ShopEvent } from '../shop-event.ts';
import type { Store } from '../store.ts';

/**
 * Returns the ID of the shop's customer with this email address, which is the same for each order. Returns null for a guest without an
 * address.
 */
export function customerOf(store: Store, shop: Shop, email: string | null): string | null {
  if (email === null) return null;
  const key = `${shop.domain} ${email.toLowerCase()}`;
  const known = store.books.get<string>('customers', key);
  if (known !== undefined) return known;
  const id = store.newGid('Customer');
  store.books.put('customers', key, id);
  return id;
}

/** Creates the webhook for a customer's request for their data. Throws a 404 for a customer without an order. */
export function toDataRequest(store: Store, id: string, domain?: string): ShopEvent {
  const { shop, orders, customer } = findCustomer(store, id, domain);
  const body = {
    ...shopFields(shop),
    orders_requested: orders,
    customer,
    data_request: { id: BigInt(toNumericId(store.newGid('DataRequest'))) },
  };
  return { shop: shop.domain, topic: 'customers/data_request', body: exactJson(body) };
}

/** Creates the webhook for the redaction of a customer. Throws a 404 for a customer without an order. */
export function toCustomerRedaction(store: Store, id: string, domain?: string): ShopEvent {
  const { shop, orders, customer } = findCustomer(store, id, domain);
  const body = { ...shopFields(shop), customer, orders_to_redact: orders };
  return { shop: shop.domain, topic: 'customers/redact', body: exactJson(body) };
}

function findCustomer(store: Store, id: string, domain?: string) {
  const gid = /^\d+$/.test(id) ? toGid('Customer', id) : id;
  const orders = store
    .orders()
    .filter((order) => order.customerId === gid && (domain === undefined || order.shop === domain));
  const last: Order | undefined = orders.at(-1);
  const shop = last && store.shop(last.shop);
  if (!shop) throw new Refusal(404, 'not_found', `No order has the customer ${id}.`);
  return {
    shop,
    orders: orders.filter((order) => order.shop === shop.domain).map((order) => BigInt(toNumericId(order.id))),
    customer: {
      id: BigInt(toNumericId(gid)),
      email: last.email,
      phone: last.phone ?? last.shippingAddress?.phone ?? null,
    },
  };
}

function shopFields(shop: Shop) {
  return { shop_id: BigInt(toNumericId(shop.id)), shop_domain: shop.domain };
}
