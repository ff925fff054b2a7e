import { once } from 'node:events';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { request } from 'undici';
import { PrintLinks } from '../src/database/entities/products.ts';
import { Shops } from '../src/database/entities/shops.ts';
import { hashRatesToken } from '../src/rates/rates-address.ts';
import { findFreePorts } from '../sandbox/find-free-ports.ts';
import { printedVariants } from '../test/chaos/orders/catalog.ts';
import { killProcess } from '../test/chaos/stage/child-process.ts';
import { percentile } from './percentile.ts';
import type { DelayArguments } from './processes/delay.ts';
import { openShops } from './shops.ts';
import { openStage, spawnMeasured } from './stage.ts';

/** How quickly a checkout receives its rates while the print service is slow. */
interface Rates {
  printServiceMs: number;
  /** Requests for carts whose rates were not requested before. */
  cold: Callbacks;
  /** Requests for carts whose rates were requested a moment before. */
  warm: Callbacks;
  /** The 95th percentile for cold carts. Shopify expects at most 500 ms. */
  p95Ms: number;
}

interface Callbacks {
  requests: number;
  atOnce: number;
  perSecond: number;
  p50Ms: number;
  p95Ms: number;
}

const PRINT_SERVICE_MS = 300;
const MAX_START_MS = 60_000;
const COLD = { requests: 300, atOnce: 4 };
const WARM = { requests: 1_000, carts: 20, atOnce: 10 };
const ITEM = { price: 1900, grams: 200, requires_shipping: true, fulfillment_service: 'platen', quantity: 1 };
const SKUS = printedVariants.slice(0, 5).map(({ sku }) => sku);

/** Measures both kinds of requests on a separate stage. `requests` is the maximum number of requests for cold carts. */
export async function measureRates(requests = COLD.requests): Promise<Rates> {
  const stage = await openStage({ advanceSeconds: null });
  await using slow = new AsyncDisposableStack();
  try {
    const token = randomBytes(32).toString('base64url');
    const variants = await stage.withApp(async (app) => {
      const [shop] = await openShops(stage, app, 'rates', 1, SKUS);
      const shops = app.db.getRepository(Shops);
      const { id, settings } = await shops.findOneByOrFail({ id: shop?.id ?? 0 });
      await shops.update({ id }, { settings: { ...settings, liveRates: true }, ratesTokenHash: hashRatesToken(token) });
      const links = await app.db.getRepository(PrintLinks).find({ where: { shopId: id } });
      return links.map(({ shopifyVariantId }) => Number(shopifyVariantId?.split('/').at(-1)));
    });
    const [port = 0] = await findFreePorts(1);
    const given: DelayArguments = { port, to: stage.printUrl, delayMs: PRINT_SERVICE_MS };
    const child = spawnMeasured('bench/processes/delay.ts', [JSON.stringify(given)], {}, join(stage.home, 'delay.log'));
    slow.defer(() => killProcess(child));
    await once(child, 'message', { signal: AbortSignal.timeout(MAX_START_MS) });
    await stage.startApp('web', { PRINT_ORDER_URL: `http://127.0.0.1:${port}` });
    const requestCartRates = (number: number): Promise<number> =>
      requestRates(`${stage.appUrl}/rates/${token}`, toCart(number, variants));
    // The first requests do the one-time work, so that the measurement does not include it.
    for (let number = 0; number < WARM.carts; number += 1) await requestCartRates(number);
    const cold = await measureRequests({ ...COLD, requests }, (index) => requestCartRates(WARM.carts + index));
    const warm = await measureRequests({ ...WARM, requests: Math.min(WARM.requests, requests * 4) }, (index) =>
      requestCartRates(index % WARM.carts),
    );
    return { printServiceMs: PRINT_SERVICE_MS, cold, warm, p95Ms: cold.p95Ms };
  } finally {
    await slow.disposeAsync();
    await stage.close();
  }
}

/** Returns a request for rates as JSON. Each number results in a different destination and cart. */
function toCart(number: number, variants: readonly number[]): string {
  const destination = { country: 'DE', postal_code: String(10_000 + number), city: 'Berlin', province: null };
  const items = variants.slice(0, 1 + (number % variants.length)).map((id) => ({ ...ITEM, variant_id: id }));
  return JSON.stringify({ rate: { destination, items, currency: 'EUR', locale: 'de' } });
}

/** Returns the milliseconds from a request for rates to the last byte of its response. Throws if the response has no rates. */
async function requestRates(url: string, cart: string): Promise<number> {
  const startedAt = performance.now();
  const { statusCode, body } = await request(url, { method: 'POST', body: cart });
  const { rates } = (await body.json()) as { rates: unknown[] };
  if (statusCode !== 200 || rates.length === 0) throw new Error(`A cart got status ${statusCode} and no rates.`);
  return performance.now() - startedAt;
}

async function measureRequests(
  { requests, atOnce }: { requests: number; atOnce: number },
  ask: (index: number) => Promise<number>,
): Promise<Callbacks> {
  const taken: number[] = [];
  let next = 0;
  const startedAt = performance.now();
  const worker = async (): Promise<void> => {
    while (next < requests) taken.push(await ask(next++));
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  const seconds = (performance.now() - startedAt) / 1000;
  const [p50Ms, p95Ms] = [percentile(taken, 0.5), percentile(taken, 0.95)];
  return { requests, atOnce, perSecond: requests / seconds, p50Ms, p95Ms };
}
