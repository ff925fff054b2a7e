import { request } from 'undici';
import { variantSeeds } from './store/import/seed-variants.ts';
import { createSessionToken as makeTokenOf } from './store/access/session-token.ts';
import { systemClock } from '../src/clock.ts';

/** The store stand-in's seeded shop. */
export const DEMO_SHOP = 'demo.myshopify.com';
export const DEMO_PRINT_KEY = 'sandbox-key';

const TIMEOUT_MS = 10_000;

/** A printed variant of the demo shop, with the data for its print link. */
export interface DemoVariant {
  variantId: string;
  sku: string;
  productUid: string;
  fileUrl: string | null;
  pageCount: number | null;
}

/** An order as the store's control endpoint shows it. */
export interface DemoOrder {
  id: string;
  name: string;
  lines: { sku: string; variantId: string | null; quantity: number }[];
  fulfillments: {
    lines: { sku: string; quantity: number }[];
    trackingCodes: string[];
    trackingUrls: string[];
  }[];
}

/** Creates the session token that App Bridge would provide to the app's page in the demo shop. */
export function createSessionToken(app: { apiKey: string; apiSecret: string }): string {
  return makeTokenOf(app, DEMO_SHOP);
}

/** Returns the printed variants that the stand-in at `storeUrl` sells. */
export async function readDemoVariants(storeUrl: string): Promise<DemoVariant[]> {
  const variants = (await callStandIn('GET', `${storeUrl}/_control/variants`)) as {
    variantId: string;
    sku: string;
    shop: string;
    productUid: string | null;
  }[];
  return variants.flatMap(({ variantId, sku, shop, productUid }) => {
    const seed = variantSeeds.find((one) => one.sku === sku);
    if (shop !== DEMO_SHOP || productUid === null) return [];
    return [{ variantId, sku, productUid, fileUrl: seed?.printFileUrl ?? null, pageCount: seed?.pageCount ?? null }];
  });
}

/** The three demo orders: one line; two lines that ship in two packages; a printed line and a line from the merchant's own stock. */
const DEMO_ORDERS: readonly (readonly [sku: string, quantity: number])[][] = [
  [['POSTER-30X40', 1]],
  [
    ['MUG-11OZ', 2],
    ['TSHIRT-M', 1],
  ],
  [
    ['POSTER-13X18', 1],
    ['VASE', 1],
  ],
];

/** Places the three demo orders and returns them as the store shows them. */
export async function placeDemoOrders(storeUrl: string): Promise<DemoOrder[]> {
  const variants = (await callStandIn('GET', `${storeUrl}/_control/variants`)) as {
    variantId: string;
    sku: string;
    shop: string;
  }[];
  const idOf = (sku: string): string | undefined =>
    variants.find((one) => one.sku === sku && one.shop === DEMO_SHOP)?.variantId;
  const placed: DemoOrder[] = [];
  for (const lines of DEMO_ORDERS) {
    const body = { lines: lines.map(([sku, quantity]) => ({ variantId: idOf(sku), quantity })) };
    placed.push((await callStandIn('POST', `${storeUrl}/_control/orders`, body)) as DemoOrder);
  }
  return placed;
}

/** Returns all orders of the store stand-in, oldest first. */
export async function readStoreOrders(storeUrl: string): Promise<DemoOrder[]> {
  return (await callStandIn('GET', `${storeUrl}/_control/orders`)) as DemoOrder[];
}

/** An order in the print stand-in's own books. */
export interface BookedPrintOrder {
  id: string;
  orderReferenceId: string;
  orderType: string;
  fulfillmentStatus: string;
  connectedOrderIds?: string[];
  deleted?: boolean;
}

/** Returns all orders and drafts in the print stand-in's own books, including deleted ones. */
export async function readPrintOrders(printUrl: string): Promise<BookedPrintOrder[]> {
  return (await callStandIn('GET', `${printUrl}/_control/orders`)) as BookedPrintOrder[];
}

/** Returns whether every printed line of an order has shipped with a tracking code. */
export function isTracked(order: DemoOrder, printedSkus: ReadonlySet<string>): boolean {
  return order.lines
    .filter(({ sku }) => printedSkus.has(sku))
    .every(({ sku, quantity }) => {
      const tracked = order.fulfillments
        .filter(({ trackingCodes }) => trackingCodes.length > 0)
        .flatMap(({ lines }) => lines);
      return tracked.filter((line) => line.sku === sku).reduce((sum, line) => sum + line.quantity, 0) >= quantity;
    });
}

async function callStandIn(method: 'GET' | 'POST', url: string, body?: object): Promise<unknown> {
  const answer = await request(url, {
    method,
    signal: systemClock.timeout(TIMEOUT_MS),
    ...(body ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {}),
  });
  const text = await answer.body.text();
  if (answer.statusCode >= 300)
    throw new Error(`${method} ${new URL(url).pathname} returned ${answer.statusCode}: ${text.slice(0, 300)}`);
  return JSON.parse(text) as unknown;
}
