import { createHash } from 'node:crypto';
import { IsNull } from 'typeorm';
import { Deliveries, type Delivery } from '../../src/database/entities/deliveries.ts';
import { listen } from '../../src/http/server.ts';
import { handleDelivery } from '../../src/inbox/handle-delivery.ts';
import { createPrintWebhookAddress } from '../../src/shops/print-account/print-webhook-address.ts';
import { post } from '../http/test-app.ts';
import { openTestShop, type ShippedOrder, type TestShop } from '../shipments/test-shop.ts';
import { recordedBodies } from './recorded-bodies.ts';

const CONCURRENCY = 8;
/** Starts a listening app with one shop. */
export async function openTarget() {
  const shop = await openTestShop();
  const endpoints = await listen(shop.app, { replayMs: 50 });
  return {
    shop,
    endpoints,
    async close() {
      await endpoints.close();
      await shop.close();
    },
  };
}
type Target = Awaited<ReturnType<typeof openTarget>>;

const named = (order: ShippedOrder): Named => ({
  reference: order.printOrder.reference,
  serviceOrderId: order.printOrder.serviceOrderId,
  itemReferenceId: order.itemOf('POSTER-13X18'),
});

/** Topics that Platen does not know, or that no header should contain. */
export const TOPICS = [
  'orders/',
  '/',
  'constructor',
  'orders/paid/../x',
  'refunds/create',
  'products/update',
  `orders/${'x'.repeat(5_000)}`,
];

/** The IDs that an event names. */
interface Named {
  reference: string;
  serviceOrderId: string | null;
  itemReferenceId: string;
}

/** Returns the recorded events and events of older interfaces, each once unchanged and once with the IDs of the order. */
export function toEvents({ reference, serviceOrderId, itemReferenceId }: Named): unknown[] {
  const events = [...recordedBodies('print')].filter(([name]) => name.startsWith('webhook_')).map(([, body]) => body);
  const ours = events.map((event) =>
    withValues(event, {
      orderReferenceId: reference,
      orderId: serviceOrderId,
      itemReferenceId,
    }),
  );
  const tracking = toTrackingEvent({ reference, serviceOrderId, itemReferenceId });
  return [...events, ...ours, ...ours, tracking, tracking, { ...tracking, event: undefined, object: 'trackingCode' }];
}

function toTrackingEvent({ reference, serviceOrderId, itemReferenceId }: Named) {
  return {
    id: 'ot_1',
    event: 'order_item_tracking_code_updated',
    orderId: serviceOrderId,
    storeId: null,
    itemReferenceId,
    orderReferenceId: reference,
    trackingCode: '00340434161094042557',
    trackingUrl: 'https://track.example/00340434161094042557',
    shipmentMethodName: 'DHL Parcel',
    shipmentMethodUid: 'dhl_parcel',
    created: '2024-01-15T12:32:03+00:00',
  };
}

/** Returns the value with some fields replaced at any depth. */
export function withValues(value: unknown, fields: Record<string, unknown>): unknown {
  if (Array.isArray(value)) return value.map((inner) => withValues(inner, fields));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      Object.hasOwn(fields, key) ? fields[key] : withValues(inner, fields),
    ]),
  );
}

/** Returns the recorded webhooks by topic, which is part of the file name. */
export function toWebhooks(): [topic: string, bodies: unknown[]][] {
  return [...recordedBodies('shopify')].flatMap(([name, body]): [string, unknown[]][] => {
    const topic = /^hookdeck_[0-9-]+_(.+)\.json$/.exec(name)?.[1]?.replace('__', '/');
    return topic === undefined ? [] : [[topic, [body]]];
  });
}

/** Sends one event with changed fields for an order in production, and handles it. Returns the stored delivery. */
export async function sendEvent(target: Target, fields: Record<string, unknown>): Promise<Delivery> {
  const { shop } = target;
  const { app } = shop;
  await shop.set({ extendedCalls: false });
  const order = await shop.ordered({ 'POSTER-13X18': 1 });
  const event = toTrackingEvent(named(order));
  const body = Buffer.from(JSON.stringify({ ...event, ...fields }));
  const { status } = await post(await openAddress(target), body);
  await handleAll(shop, new Map());
  if (status !== 200) throw new Error(`the event got status ${status}`);
  return app.db.manager.findOneByOrFail(Deliveries, { bodySha256: createHash('sha256').update(body).digest('hex') });
}

/** Creates a new address for the shop's events. */
async function openAddress({ shop, endpoints }: Target): Promise<string> {
  const address = await createPrintWebhookAddress(shop.app, shop.shop);
  return endpoints.url + new URL(address).pathname;
}

/**
 * Handles every stored delivery as the queue would, but throws immediately if a delivery fails instead of retrying it. A delivery whose shop
 * was erased at the same time may fail, because it is gone when the queue retries it.
 */
export async function handleAll({ app }: Pick<TestShop, 'app'>, seeds: Map<string, number>): Promise<void> {
  const waiting = await app.db.manager.find(Deliveries, {
    where: { handledAt: IsNull() },
    select: { id: true, bodySha256: true, topic: true },
  });
  await runConcurrently(waiting, async ({ id, bodySha256, topic }) => {
    await handleDelivery(app, { deliveryId: id }).catch(async (cause: unknown) => {
      if (!(await app.db.manager.existsBy(Deliveries, { id }))) return;
      throw new Error(`a delivery of ${topic} failed for the body of seed ${seeds.get(bodySha256)}`, { cause });
    });
  });
}

/** Runs a function for each item, several at a time. */
export async function runConcurrently<Item>(
  items: readonly Item[],
  act: (item: Item) => Promise<void>,
  atOnce: number = CONCURRENCY,
): Promise<void> {
  const left = items.values();
  const work = async () => {
    for (const item of left) await act(item);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}
