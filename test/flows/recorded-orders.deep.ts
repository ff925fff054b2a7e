import { createHmac, randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { Deliveries, type Delivery } from '../../src/database/entities/deliveries.ts';
import { OrderLines, StorefrontOrders } from '../../src/database/entities/orders.ts';
import { PrintLinks, VariantConnections } from '../../src/database/entities/products.ts';
import { Shops } from '../../src/database/entities/shops.ts';
import { variantSeeds } from '../../sandbox/store/import/seed-variants.ts';
import { changeSettings } from '../../src/shops/settings/settings.ts';
import type { PlacedOrder } from '../helpers/platen.ts';
import { platen, testPlaten } from '../helpers/test-platen.ts';
import { eventually } from '../helpers/eventually.ts';
import { untilIdle } from '../helpers/until-idle.ts';

// The tests import recorded orders from real stores. Platen receives only each order's exact payload, as a webhook.

const FOLDER = join(import.meta.dirname, '../fixtures/shopify');
/** Recorded headers that are not sent again, because they belong to the original connection or because `deliver` replaces them. */
const OMITTED_HEADERS =
  /^(content-length|transfer-encoding|accept-encoding|connection|host|x-shopify-(hmac-sha256|shop-domain))$/;

/** The product that each recorded variant is linked to. All products differ, so that a mix-up is visible. */
const LINKS: Record<string, string> = {
  IPOD2008PINK: 'POSTER-13X18',
  IPOD2008GREEN: 'POSTER-30X40',
  IPOD2008RED: 'MUG-11OZ',
  IPOD2008BLACK: 'TSHIRT-M',
  IPOD2009BLACK: 'MUG-15OZ',
};

const HOOKDECK = ['create', 'paid', 'updated', 'cancelled', 'fulfilled', 'partially_fulfilled'].map(
  (topic) => `hookdeck_2024-10_orders__${topic}.json`,
);
const REST = [
  'partially_refunded_line_properties',
  'refunded_at_cancel',
  'paid_with_addresses_no_fulfilment',
  'partially_paid_with_addresses',
  'custom_line_null_variant_EUR_tax',
  'three_custom_lines_null_variant',
].map((name) => `rest_2026-07_order_${name}.json`);
/** Order topics whose body is not an order. Such bodies can be delivered, but not imported into the store. */
const NON_ORDER_FILES = ['delete', 'edited', 'risk_assessment_changed'].map(
  (topic) => `hookdeck_2024-10_orders__${topic}.json`,
);

const PAID = 'hookdeck_2024-10_orders__paid.json';
const LONG_AGO = '2000-01-01T00:00:00Z';

testPlaten({ advanceSeconds: null });
beforeAll(async () => {
  // An app needs this permission to read orders older than 60 days.
  await platen.control('store', 'POST', `/shops/${platen.shop.domain}/scopes`, { grant: ['read_all_orders'] });
  await changeSettings(platen.app, platen.shop, { takesOrdersFrom: LONG_AGO });
  await removeOrders();
  for (const file of [...HOOKDECK, ...REST]) await importOrder(file);
  await linkVariants();
});

beforeEach(removeOrders);

/** Removes all orders from both stand-ins and from Platen, and turns off the store's own webhooks. */
async function removeOrders(): Promise<void> {
  await untilIdle(platen.app);
  await platen.control('store', 'POST', '/reset');
  await platen.control('print', 'POST', '/reset');
  await platen.control('store', 'POST', '/webhooks', { drop: true });
  for (const table of ['storefront_orders', 'printed_lines', 'deliveries']) {
    await platen.app.db.query(`delete from ${table}`);
  }
}

/**
 * Links the recorded variants. Variants of REST orders are stocked at Platen's location, and variants of webhooks at the merchant's
 * location.
 */
async function linkVariants(): Promise<void> {
  const variants = (await platen.control('store', 'GET', '/variants')) as { sku: string; variantId: string }[];
  for (const { sku, variantId } of variants.filter((variant) => variant.sku in LINKS)) {
    const seed = variantSeeds.find((one) => one.sku === LINKS[sku]);
    const link = { productUid: seed?.productUid ?? '', fileUrl: seed?.printFileUrl ?? null, pageCount: null };
    const variant = { shopId: platen.shop.id, shopifyVariantId: variantId };
    await platen.app.db.manager.insert(PrintLinks, { ...variant, ...link, sku });
    await platen.app.db.manager.insert(VariantConnections, { ...variant, status: 'connected', storeProductId: null });
    if (sku === 'IPOD2008PINK') continue;
    const id = variantId.split('/').at(-1) ?? '';
    await platen.control('store', 'POST', `/variants/${id}/stock`, { location: 'service' });
  }
}

function textOf(file: string): string {
  return readFileSync(join(FOLDER, file), 'utf8');
}

/** Imports a recorded order into the store and waits for its fulfillment orders. `payable`: the order is paid and open, whatever was recorded. */
async function importOrder(file: string, payable = false): Promise<PlacedOrder> {
  const body = { order: JSON.parse(textOf(file)), payable };
  const { id } = (await platen.control('store', 'POST', '/import', body)) as PlacedOrder;
  const isReady = async () => {
    const { cancelledAt, fulfillmentOrders } = await platen.storeOrder(id);
    return cancelledAt !== null || fulfillmentOrders.length > 0;
  };
  await eventually(isReady).toBe(true);
  return platen.storeOrder(id);
}

/** Imports a recorded order, delivers its recorded webhook, and waits until Platen has processed it. */
async function importAndDeliver(file: string, payable = false): Promise<PlacedOrder> {
  const order = await importOrder(file, payable);
  expect(await deliverFile(file)).toBe(200);
  await untilIdle(platen.app);
  return order;
}

/** Delivers these bytes as Shopify does, with the recorded headers if available. */
async function deliver(raw: string | Buffer, headers: Record<string, string> = {}): Promise<number> {
  const kept = Object.entries(headers).filter(([name]) => !OMITTED_HEADERS.test(name));
  const { status } = await fetch(`${platen.url}/webhooks/shopify`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-shopify-topic': 'orders/updated',
      'x-shopify-api-version': '2026-07',
      'x-shopify-webhook-id': randomUUID(),
      'x-shopify-triggered-at': platen.app.clock.now().toISOString(),
      ...Object.fromEntries(kept),
      'x-shopify-shop-domain': platen.shop.domain,
      'x-shopify-hmac-sha256': createHmac('sha256', 'sandbox-secret').update(raw).digest('base64'),
    },
    body: raw,
  });
  return status;
}

async function deliverFile(file: string): Promise<number> {
  const headers = join(FOLDER, file.replace('.json', '.headers.json'));
  const recorded = existsSync(headers) ? (JSON.parse(readFileSync(headers, 'utf8')) as Record<string, string>) : {};
  // The recorded uninstall webhook lacks the shop's domain.
  const named = `"myshopify_domain": "${platen.shop.domain}"`;
  return deliver(textOf(file).replace('"myshopify_domain": null', named), recorded);
}

/** Returns the stored deliveries from the store. */
function findDeliveries(): Promise<Delivery[]> {
  return platen.app.db.manager.findBy(Deliveries, { source: 'shopify' });
}

/** Returns the outcome of an order in Platen and at the print service. */
async function outcomeOf({ id, name }: Pick<PlacedOrder, 'id' | 'name'>) {
  const { outcomeReason, id: rowId } = await platen.app.db.manager.findOneByOrFail(StorefrontOrders, {
    shopifyOrderId: id,
  });
  const lines = await platen.app.db.manager.findBy(OrderLines, { storefrontOrderId: rowId });
  const { state, holds, printOrders } = await platen.listed(id);
  const atService = await platen.printedFor(name);
  expect(atService.map(({ orderReferenceId }) => orderReferenceId)).toEqual(
    printOrders.map(({ reference }) => reference),
  );
  expect(atService.map((order) => order.id)).toEqual(printOrders.flatMap(({ serviceOrderIds }) => serviceOrderIds));
  return {
    state,
    why: outcomeReason,
    holds: holds.map(({ code, field }) => [code, field]),
    notOurs: lines.flatMap(({ decision, reason }) => (decision === 'not_ours' ? [reason] : [])),
    printed: printOrders.map((order) => order.lines.map(({ sku, quantity }) => `${quantity} × ${sku ?? ''}`)),
    madeOf: atService.map(({ items }) => items.map(({ productUid, quantity }) => `${quantity} × ${productUid}`)),
  };
}

type Outcome = Awaited<ReturnType<typeof outcomeOf>>;
const NOTHING: Outcome = { state: 'nothing_to_do', why: null, holds: [], notOurs: [], printed: [], madeOf: [] };
const CANCELED: Outcome = { ...NOTHING, state: 'canceled', why: 'canceled' };
const customLines = (count: number): Outcome => ({
  ...NOTHING,
  why: 'no_line_of_ours',
  notOurs: Array.from({ length: count }, () => 'custom_line'),
});

/** Returns the outcome with one print order for one unit of each of these SKUs. */
function printing(...skus: string[]): Outcome {
  const uidOf = (sku: string) => variantSeeds.find((seed) => seed.sku === LINKS[sku])?.productUid ?? '';
  return {
    ...NOTHING,
    state: 'printing',
    printed: [skus.map((sku) => `1 × ${sku}`)],
    madeOf: [skus.map((sku) => `1 × ${uidOf(sku)}`)],
  };
}

/** The payloads of the other topics are the same order, which has its own test. */
const asRecorded: [file: string, Outcome][] = [
  [PAID, CANCELED],
  ['rest_2026-07_order_partially_refunded_line_properties.json', printing('IPOD2008RED')],
  ['rest_2026-07_order_refunded_at_cancel.json', CANCELED],
  ['rest_2026-07_order_paid_with_addresses_no_fulfilment.json', printing('IPOD2009BLACK')],
  ['rest_2026-07_order_partially_paid_with_addresses.json', { ...NOTHING, state: 'waiting', why: 'unpaid' }],
  ['rest_2026-07_order_custom_line_null_variant_EUR_tax.json', customLines(1)],
  ['rest_2026-07_order_three_custom_lines_null_variant.json', customLines(3)],
];

const NANOS = printing('IPOD2008GREEN', 'IPOD2008RED', 'IPOD2008BLACK');
const STEVE = {
  lastName: 'Shipper',
  addressLine1: '123 Shipping Street',
  state: 'KY',
  postCode: '40003',
  country: 'US',
};
const BOB = { lastName: 'Norman', addressLine1: 'Chestnut Street 92', postCode: '40202', phone: '+1 502 459 2181' };
const JANE = { lastName: 'Smith', city: 'Fakecity', state: 'ON', postCode: 'K2P 1L4', email: 'jane@example.com' };

const madePayable: [file: string, Outcome, recipient: Record<string, unknown> | null][] = [
  [PAID, printing('IPOD2008PINK', 'IPOD2008PINK'), STEVE],
  ['rest_2026-07_order_partially_refunded_line_properties.json', NANOS, BOB],
  ['rest_2026-07_order_refunded_at_cancel.json', NANOS, BOB],
  ['rest_2026-07_order_paid_with_addresses_no_fulfilment.json', printing('IPOD2009BLACK'), JANE],
  ['rest_2026-07_order_partially_paid_with_addresses.json', printing('IPOD2009BLACK'), JANE],
  ['rest_2026-07_order_custom_line_null_variant_EUR_tax.json', customLines(1), null],
  ['rest_2026-07_order_three_custom_lines_null_variant.json', customLines(3), null],
];

test('these tests cover every recorded order', () => {
  const isOrder = (file: string) =>
    /_orders__|_order_(?!\d)/.test(file) && !/headers|fulfillment_order|draft_/.test(file);
  expect([...HOOKDECK, ...REST, ...NON_ORDER_FILES].toSorted()).toEqual(readdirSync(FOLDER).filter(isOrder));
});

test('each recorded order has the expected outcome', async () => {
  for (const [file, expected] of asRecorded) {
    expect(await outcomeOf(await importAndDeliver(file)), file).toEqual(expected);
    await removeOrders();
  }
});

test('each recorded order has the expected outcome if it is paid and open in the store, regardless of its old payload', async () => {
  for (const [file, expected, recipient] of madePayable) {
    const order = await importAndDeliver(file, true);
    expect(await outcomeOf(order), file).toEqual(expected);
    const [printed] = await platen.printedFor(order.name);
    if (recipient !== null) expect(printed?.shippingAddress).toMatchObject(recipient);
    const { fulfillmentOrders } = await platen.storeOrder(order.id);
    const requested = recipient !== null && file !== PAID ? 'ACCEPTED' : 'UNSUBMITTED';
    expect(fulfillmentOrders.map(({ requestStatus }) => requestStatus)).toEqual([requested]);
    await removeOrders();
  }
});

test('an order is printed once even if each of its topics is delivered twice', async () => {
  const order = await importOrder(PAID, true);
  const files = [...HOOKDECK, ...HOOKDECK];
  const answers = await Promise.all(files.map(deliverFile));
  expect(answers).toEqual(files.map(() => 200));
  await untilIdle(platen.app);
  expect(await findDeliveries()).toHaveLength(HOOKDECK.length);
  expect(await outcomeOf(order)).toEqual(printing('IPOD2008PINK', 'IPOD2008PINK'));
  expect((await platen.printed()).filter(({ deleted }) => deleted !== true)).toHaveLength(1);
});

test('line properties and the buyer’s notes appear neither in the timeline nor at the print service', async () => {
  const file = 'rest_2026-07_order_partially_refunded_line_properties.json';
  const order = await importAndDeliver(file, true);
  const timeline = await platen.app.db.query('select message, data from timeline_entries');
  const atService = await platen.printedFor(order.name);
  expect(atService).toHaveLength(1);
  expect(JSON.stringify([timeline, atService])).not.toMatch(/Engraving|Happy Birthday|colour/i);
  expect(JSON.stringify(timeline)).not.toMatch(/Norman|Chestnut|Louisville|459-2181/);
});

test('every other recorded delivery is stored and processed, and changes no order', async () => {
  const order = await importAndDeliver(PAID, true);
  const files = readdirSync(FOLDER).filter(
    (file) => file.startsWith('hookdeck_') && !file.endsWith('.headers.json') && !HOOKDECK.includes(file),
  );
  for (const file of files) expect([file, await deliverFile(file)]).toEqual([file, 200]);
  await untilIdle(platen.app);
  const deliveries = await findDeliveries();
  expect(deliveries).toHaveLength(files.length + 1);
  const handled = /^(orders|refunds|fulfillments|fulfillment_orders)\//;
  const others = new Map([
    // A risk assessment does not name an order.
    ['orders/risk_assessment_changed', 'no_resource_id'],
    // The uninstall was recorded long before this shop signed in, and the store confirms that Platen is still installed.
    ['app/uninstalled', 'still_installed'],
    // None of the recorded products is connected to a print product.
    ['products/create', 'not_printed'],
    ['products/update', 'not_printed'],
    ['products/delete', 'not_printed'],
    // The location does not belong to Platen.
    ['locations/delete', 'not_ours'],
  ]);
  for (const { topic, result } of deliveries) {
    const expected = others.get(topic) ?? (handled.test(topic) ? 'handled' : 'unknown_topic');
    expect([topic, result]).toEqual([topic, expected]);
  }
  expect(await outcomeOf(order)).toEqual(printing('IPOD2008PINK', 'IPOD2008PINK'));
  // The recorded uninstall happened long before this shop signed in.
  expect(await platen.app.db.manager.findOneBy(Shops, { id: platen.shop.id })).toMatchObject({ state: 'installed' });
});
