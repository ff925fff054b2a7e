import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { beforeAll, expect, test } from 'vitest';
import { PrintLinks } from '../../src/database/entities/products.ts';
import { PrivacyRequests } from '../../src/database/entities/privacy-requests.ts';
import { Shops, type Shop } from '../../src/database/entities/shops.ts';
import { StoreProducts } from '../../src/database/entities/store-products.ts';
import { hashRatesToken } from '../../src/rates/rates-address.ts';
import { createPrintWebhookAddress } from '../../src/shops/print-account/print-webhook-address.ts';
import { toEvents, toWebhooks, withValues } from '../fuzz/fuzz-endpoints.ts';
import { createRandom } from '../fuzz/random.ts';
import { recordedBodies } from '../fuzz/recorded-bodies.ts';
import { openOtherShop } from '../helpers/open-other-shop.ts';
import type { PlacedOrder } from '../helpers/platen.ts';
import { platen, testPlaten } from '../helpers/test-platen.ts';
import { readRowsOfShop } from './read-rows-of-shop.ts';
import { untilIdle } from '../helpers/until-idle.ts';
import { draftRequest, type Draft, type RequestInputs } from './draft-request.ts';
import { listParameterNames } from './create-example-request.ts';
import { listRoutes } from './list-routes.ts';
import type { TestApp } from './test-app.ts';

const DAY_MS = 86_400_000;
const RATES_TOKEN = 'rates-token-of-the-other-shop';
/** Each route is called several times, because the optional parts of its requests vary. */
const TRIES = 2;
const WEBHOOKS = 20;
/** Names of parameters that can name an object of a shop. */
const ID_PARAMETERS =
  /^(?:ids?|uid|orders?|products?|after|before|sku|printOrder|reference|token|file|\w+(?:Ids?|Uids?))$/;
/** Settings whose names resemble the names of objects. */
const SETTINGS_NAMES = new Set(['sendsCustomerId', 'productUids', 'methodUids']);
/** A person whose data only the first shop has. */
const PERSON = {
  email: 'only.owner77@person.example',
  phone: '+12015550177',
  note: 'Ring at Owner77',
  shippingAddress: {
    firstName: 'Owner77',
    lastName: 'Ownersson77',
    address1: '77 Ownerstreet',
    city: 'Owner77ville',
    zip: '11203',
    provinceCode: 'NY',
    countryCode: 'US',
  },
};
const PERSONAL_MARKERS = ['owner77', 'Owner77', 'Ownersson77', '77 Ownerstreet'];

let other: Shop;
let keys: RequestInputs;
let routes: string[];
/** Texts that occur in the first shop's data and in no other shop's. */
let ownTexts: string[];
let order: PlacedOrder;

testPlaten({ settings: { delayMinutes: 0 } });
beforeAll(async () => {
  const { app, shop } = platen;
  routes = await listRoutes(app as TestApp);
  other = await openOtherShop(platen, { printKey: 'another-key' });
  await app.db
    .getRepository(Shops)
    .update(
      { id: other.id },
      { ratesTokenHash: hashRatesToken(RATES_TOKEN), settings: { ...other.settings, liveRates: true } },
    );
  await addDataOfFirstShop();
  keys = await collectRequestInputs();
  ownTexts = await readOwnTexts(shop);
}, 120_000);

async function addDataOfFirstShop(): Promise<void> {
  const { app, shop } = platen;
  order = await platen.placeSkus({ 'POSTER-30X40': 1 }, PERSON);
  await platen.untilState(order.id, 'fulfilled');
  const long = { ...PERSON.shippingAddress, lastName: 'Ownersson77'.repeat(20) };
  await platen.placeSkus({ 'MUG-11OZ': 1 }, { ...PERSON, shippingAddress: long });
  await untilIdle(app);
  const request = { shopId: shop.id, kind: 'data_request' as const, requestKey: 'one', shopifyOrderIds: [order.id] };
  const now = app.clock.now();
  const times = { receivedAt: now, dueAt: new Date(now.getTime() + 30 * DAY_MS) };
  await app.db.manager.save(PrivacyRequests, { ...request, ...times });
  await app.db.manager.insert(StoreProducts, {
    shopId: shop.id,
    printAccountId: shop.printAccountId ?? 0,
    storeId: randomUUID(),
    storeProductId: randomUUID(),
    title: 'Shirt of Owner77',
    status: 'active',
    readingSha256: '',
    readAt: now,
  });
  await app.db.manager.insert(PrintLinks, {
    shopId: shop.id,
    sku: 'SKU-OF-OWNER77',
    productUid: 'mug_product_msz_11-oz_mmat_ceramic-white_cl_4-0',
    fileUrl: 'https://files.example/owner77.png',
    source: 'merchant',
  });
  await untilIdle(app);
}

const toDigits = (gid: string): string => gid.split('/').at(-1) ?? '';

/** Collects the first shop's IDs, for requests by the other shop. */
async function collectRequestInputs(): Promise<RequestInputs> {
  const { app, shop } = platen;
  const { manager } = app.db;
  const queryIds = async (sql: string): Promise<string[]> =>
    (await app.db.query<{ id: string }[]>(sql, [shop.id])).map(({ id }) => String(id));
  const orders = await queryIds('select shopify_order_id as id from storefront_orders where shop_id = $1');
  const links = await manager.findBy(PrintLinks, { shopId: shop.id });
  const variants = links.flatMap(({ shopifyVariantId }) => shopifyVariantId ?? []);
  const [reference = ''] = await queryIds('select reference as id from print_orders where shop_id = $1');
  const [serviceOrderId = ''] = await queryIds('select service_order_id as id from print_orders where shop_id = $1');
  const [product] = await manager.findBy(StoreProducts, { shopId: shop.id });
  const rowIds = await queryIds('select id from deliveries where shop_id = $1 order by id desc limit 2');
  const [item] = (await platen.printedFor(order.name)).flatMap(({ items }) => items);
  const numbers = { id: Number(toDigits(order.id)), order_id: Number(toDigits(order.id)) };
  const named = {
    ...numbers,
    admin_graphql_api_id: order.id,
    shop_domain: other.domain,
    myshopify_domain: shop.domain,
  };
  const privacy = ['customers/redact', 'customers/data_request', 'shop/redact'].map((topic): [string, unknown] => [
    topic,
    recordedBodies('shopify').get(`doc_${topic.replace('/', '_')}.json`),
  ]);
  const webhooks = [...toWebhooks().map(([topic, [body]]): [string, unknown] => [topic, body]), ...privacy];
  const cart = recordedBodies('shopify').get('doc_carrier_service_rate_request.json');
  const address = await createPrintWebhookAddress(app, other);
  return {
    secret: app.config.shopify.apiSecret,
    appUrl: app.config.shopify.appUrl,
    shop: other.domain,
    spareShop: other.domain,
    leavingShop: other.domain,
    removedShop: other.domain,
    printToken: new URL(address).pathname.split('/').at(-1) ?? '',
    ratesToken: RATES_TOKEN,
    metricsToken: '',
    values: {
      orders: orders.map(toDigits),
      order: [...orders, order.name],
      printOrder: [reference],
      action: ['approve', 'hold', 'retry', 'cancel', 'print-again', 'continue', 'close'],
      'privacy-requests': await queryIds('select id from privacy_requests where shop_id = $1'),
      before: await queryIds('select id + 1 as id from privacy_requests where shop_id = $1'),
      after: [...rowIds, ...orders.map(toDigits), ...variants, reference],
      variantId: variants.map(toDigits),
      productId: [toDigits(product?.storeProductId ?? '')],
      products: ['1'],
      ids: [variants.map(toDigits).slice(0, 5).join(',')],
      sku: ['SKU-OF-OWNER77'],
      productUid: links.map(({ productUid }) => productUid),
      envelopeProductUid: links.map(({ productUid }) => productUid),
      storeId: [product?.storeId],
      printStoreId: [product?.storeId],
      storeProductId: [product?.storeProductId],
      templateId: ['5eed0000-0000-4000-8003-000000000200'],
      templates: ['5eed0000-0000-4000-8003-000000000200'],
      templateVariantId: ['any'],
      catalogUid: ['posters'],
      file: ['page.css'],
      section: ['print'],
      path: ['orders'],
      printKey: ['another-key'],
      csv: [`variant_id,sku,product_uid\n${toDigits(variants[0] ?? '')},SKU-OF-OWNER77,${links[0]?.productUid}`],
      country: ['US'],
      federalTaxId: [''],
      stateTaxId: [''],
    },
    webhooks: webhooks.map(([topic, body]) => [
      topic,
      [withValues(body, { ...named, orders_to_redact: [numbers.id] })],
    ]),
    events: toEvents({ reference, serviceOrderId, itemReferenceId: item?.itemReferenceId ?? '' }),
    carts: [withValues(cart, { variant_id: Number(toDigits(variants[0] ?? '')), sku: 'SKU-OF-OWNER77' })],
  };
}

/** Collects the texts in the first shop's rows that are long enough to identify something and are in no other shop's rows. */
async function readOwnTexts(shop: Shop): Promise<string[]> {
  const { db } = platen.app;
  const [rows, rowsOfOther] = [await readRowsOfShop(db, shop.id), await readRowsOfShop(db, other.id)];
  const shared = JSON.stringify(Object.values(rowsOfOther)) + JSON.stringify(await readSharedTexts());
  const texts = Object.values(rows)
    .flat()
    .flatMap((row) => collectTexts(JSON.parse(row)))
    .filter((one) => isDistinctive(one) && !shared.includes(one));
  return [...new Set([...texts, ...PERSONAL_MARKERS])];
}

/** Tables that change without a request: counts of earlier calls, which are stored every few seconds, and the results of polls. */
const CHANGING_TABLES = ['callback_hours', 'poll_passes', 'product_stock'];

async function readStableRows(): Promise<Record<string, string[]>> {
  const rows = await readRowsOfShop(platen.app.db, platen.shop.id);
  return Object.fromEntries(Object.entries(rows).filter(([table]) => !CHANGING_TABLES.includes(table)));
}

/** Reads the texts that both shops may see: readiness, the metrics and the API's description. */
async function readSharedTexts(): Promise<string[]> {
  return Promise.all(
    ['/readyz', '/metrics', '/api/openapi.json'].map(async (path) => (await fetch(`${platen.url}${path}`)).text()),
  );
}

function collectTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(collectTexts) : [];
}

/** Returns whether a text can identify an object. Short texts, codes and times cannot. */
function isDistinctive(one: string): boolean {
  return one.length >= 8 && /\d|[A-Z]/.test(one) && !/^\d{4}-\d\d-\d\d/.test(one) && !one.startsWith('POSTER');
}

async function send({ method, path, query, headers, body }: Draft): Promise<{ status: number; body: string }> {
  const search = new URLSearchParams(query).toString();
  const url = `${platen.url}${path}${search === '' ? '' : `?${search}`}`;
  // Does not use `fetch`, which in tests rejects an API request with an invalid ID.
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers }, (response) => {
      const head = response.rawHeaders.join('\n');
      text(response).then(
        (content) => resolve({ status: response.statusCode ?? 0, body: `${head}\n${content}` }),
        reject,
      );
    });
    sent.on('error', reject);
    sent.end(body ?? undefined);
  });
}

/** Finds the first shop's texts in a response. A text that the request itself contains does not count, because an error may repeat it. */
function findLeakedTexts(body: string, { path, query, headers, body: sentBody }: Draft): string[] {
  const sent = `${decodeURIComponent(path)} ${JSON.stringify([query, headers])} ${sentBody?.toString() ?? ''}`;
  return ownTexts.filter((one) => body.includes(one) && !sent.includes(one));
}

/**
 * Requests to these routes come last, in this order: a signed message makes its IDs known to the other shop, and the others end the other
 * shop's session.
 */
const LAST_ROUTES = [/ \/(?!api\/)/, /\/api\/(?:leave|take-up|settings\/disconnect)/];

const toPlace = (route: string): number => LAST_ROUTES.findIndex((last) => last.test(route));

function* draftAll(as: RequestInputs, wanted: RegExp = /./): Generator<[route: string, draft: Draft]> {
  const sorted = routes.filter((one) => wanted.test(one)).toSorted((a, b) => toPlace(a) - toPlace(b));
  for (const route of sorted) {
    const tries = route === 'POST /webhooks/shopify' || route.includes('/webhooks/print') ? WEBHOOKS : TRIES;
    for (let seed = 0; seed < tries; seed += 1) yield [route, draftRequest(route, as, createRandom(seed))];
  }
}

test('each parameter that can name an object of a shop has a value of the first shop', () => {
  const names = routes
    .filter((route) => route.includes(' /api/') && !route.startsWith('OPTIONS'))
    .flatMap((route) => listParameterNames(route).map((name): [string, string] => [route, name]))
    .filter(([, name]) => ID_PARAMETERS.test(name) && !SETTINGS_NAMES.has(name));
  expect(names.length).toBeGreaterThan(30);
  expect(names.filter(([, name]) => !(name in keys.values))).toEqual([]);
});

test('the first shop’s own requests return the data that the other shop must not see', async () => {
  const mine = { ...keys, shop: platen.shop.domain };
  const bodies: string[] = [];
  for (const [, draft] of draftAll(mine, /^GET \/api\/(?!privacy-requests\/)/)) bodies.push((await send(draft)).body);
  const all = bodies.join('\n');
  const [printOrder] = (await platen.listed(order.id)).printOrders;
  const [fulfillment] = (await platen.storeOrder(order.id)).fulfillments;
  const wanted = [
    order.id,
    printOrder?.reference,
    fulfillment?.trackingCodes[0],
    'SKU-OF-OWNER77',
    'Shirt of Owner77',
    ...PERSONAL_MARKERS,
  ];
  expect(wanted.filter((one) => one === undefined || !all.includes(one))).toEqual([]);
  expect(ownTexts.filter((one) => all.includes(one)).length).toBeGreaterThan(20);
});

test('no route returns or changes the first shop’s data', { timeout: 240_000 }, async () => {
  const before = await readStableRows();
  expect(Object.values(before).flat().length).toBeGreaterThan(50);
  const statuses = new Map<string, Set<number>>();
  const seen: [route: string, status: number, found: string[]][] = [];
  for (const [route, draft] of draftAll(keys)) {
    const { status, body } = await send(draft);
    statuses.set(route, (statuses.get(route) ?? new Set()).add(status));
    const found = findLeakedTexts(body, draft);
    if (found.length > 0) seen.push([route, status, found.slice(0, 5)]);
  }
  expect(seen).toEqual([]);
  expect([...statuses.keys()].toSorted()).toEqual(routes.toSorted());
  // None of the first shop's objects exists for another shop.
  const named = [...statuses].filter(([route]) => /\/api\/(?:orders|privacy-requests|store-products)\/:/.test(route));
  expect(named.length).toBeGreaterThan(9);
  for (const [route, all] of named)
    expect([route, [...all].filter((one) => one !== 404 && one !== 400)]).toEqual([route, []]);
  const failed = [...statuses].filter(([, all]) => [...all].some((one) => one >= 500));
  expect(failed).toEqual([]);
  await untilIdle(platen.app);
  expect(await readStableRows()).toEqual(before);
});
