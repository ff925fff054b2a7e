import { join } from 'node:path';
import { type Books, type Change, openBooks } from '../books.ts';
import { createDeliveries, type Deliveries } from '../deliveries.ts';
import { createFaults, type Faults } from '../faults.ts';
import { createIds } from '../ids.ts';
import type { AppToml, Topic } from './access/app-toml.ts';
import { toGid } from './graphql/gid.ts';
import type { Product, Variant } from './products/product-state.ts';
import type { Order, Shop } from './state.ts';
import { targetsOf, toDelivery } from './to-delivery.ts';
import type { ShopEvent } from './shop-event.ts';
import type { Clock } from '../../src/clock.ts';

export interface StoreOptions {
  clock: Clock;
  home: string;
  /** The app's URL. Webhooks go to `${appUrl}/webhooks/shopify`. */
  appUrl: string;
  apiKey: string;
  apiSecret: string;
  /** The secret before the last rotation. A delivery can still be signed with it. */
  previousApiSecret: string | null;
  /** The app's configuration. */
  app: AppToml;
  webhookRetryMs: readonly number[];
  /** Milliseconds until a new order gets its fulfillment orders. */
  routingMs: number;
}

/** The stand-in's state, read by ID. Changes are written atomically together with the webhooks that report them. */
export interface Store {
  readonly clock: Clock;
  readonly options: StoreOptions;
  readonly books: Books;
  readonly faults: Faults;
  readonly deliveries: Deliveries;
  newGid(type: string): string;
  shops(): Shop[];
  shop(domain: string): Shop | undefined;
  products(domain: string): Product[];
  product(id: string): Product | undefined;
  /** Returns the product of a variant or inventory item, by the ID of the variant or item. */
  productOf(partId: string): Product | undefined;
  variant(id: string): Variant | undefined;
  orders(): Order[];
  order(id: string): Order | undefined;
  /** Returns the order of a line item, fulfillment order or fulfillment, by the ID of that part. */
  orderOf(partId: string): Order | undefined;
  write(changes: readonly Change[], events?: readonly ShopEvent[]): void;
  /** Calls `act` after `ms` milliseconds, unless the store is closed before then. */
  later(ms: number, act: () => void): void;
  close(): Promise<void>;
}

const CONNECT_MS = 1000;

/** The topics that the app still receives after it is uninstalled. */
const AFTER_UNINSTALL: ReadonlySet<string> = new Set<Topic>([
  'app/uninstalled',
  'shop/redact',
  'customers/redact',
  'customers/data_request',
]);

/** Opens and reads the books in `home`. Throws if another process has them open. */
export function openStore(options: StoreOptions): Store {
  const { clock } = options;
  const books = openBooks(join(options.home, 'sandbox-store.jsonl'));
  const ids = createIds(clock, books);
  const faults = createFaults(clock, books);
  const deliveries = createDeliveries(clock, books, ids, faults, options.webhookRetryMs, CONNECT_MS);
  const orderOfPart = new Map<string, string>();
  const productOfPart = new Map<string, string>();
  const timers = new Set<() => void>();
  for (const order of books.all<Order>('orders')) indexOrder(order);
  for (const product of books.all<Product>('products')) indexProduct(product);

  function indexOrder(order: Order): void {
    for (const part of [...order.lineItems, ...order.fulfillmentOrders, ...order.fulfillments]) {
      orderOfPart.set(part.id, order.id);
    }
  }

  function indexProduct(product: Product): void {
    for (const { id, inventoryItem } of product.variants) {
      productOfPart.set(id, product.id);
      productOfPart.set(inventoryItem.id, product.id);
    }
  }

  function productOf(partId: string): Product | undefined {
    return books.get('products', productOfPart.get(partId) ?? '');
  }

  function deliver(event: ShopEvent): Change[] {
    const shop = books.get<Shop>('shops', event.shop);
    if (!shop || (!shop.installed && !AFTER_UNINSTALL.has(event.topic))) return [];
    const eventId = ids.nextUuid();
    return targetsOf(options.app, event).flatMap((target) =>
      deliveries.plan(toDelivery(options, event, target, { webhookId: ids.nextUuid(), eventId })),
    );
  }

  return {
    clock,
    options,
    books,
    faults,
    deliveries,
    newGid: (type) => toGid(type, ids.nextNumber()),
    shops: () => books.all('shops'),
    shop: (domain) => books.get('shops', domain),
    products: (domain) => books.all<Product>('products').filter((product) => product.shop === domain),
    product: (id) => books.get('products', id),
    productOf,
    variant: (id) => productOf(id)?.variants.find((variant) => variant.id === id),
    orders: () => books.all('orders'),
    order: (id) => books.get('orders', id),
    orderOf: (partId) => books.get('orders', orderOfPart.get(partId) ?? ''),
    write(changes, events = []) {
      books.write([...changes, ...events.flatMap(deliver)]);
      for (const [kind, table, , value] of changes) {
        if (kind === 'put' && table === 'orders') indexOrder(value as Order);
        if (kind === 'put' && table === 'products') indexProduct(value as Product);
      }
      deliveries.wake();
    },
    later(ms, act) {
      const cancel = clock.after(ms, () => {
        timers.delete(cancel);
        act();
      });
      timers.add(cancel);
    },
    async close() {
      timers.forEach((cancel) => cancel());
      faults.stop();
      await deliveries.close();
      books.close();
    },
  };
}
