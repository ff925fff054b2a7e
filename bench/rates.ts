import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { readConfig } from '../src/config.ts';
import { Shops } from '../src/database/shops.ts';
import { PrintLinks } from '../src/database/products.ts';
import { installDemoShop } from '../src/demo-shop.ts';
import { createLog } from '../src/log.ts';
import { openApp } from '../src/open-app.ts';
import { hashRatesToken } from '../src/rates/rates-address.ts';
import { runApp } from '../src/run-app.ts';
import { startSandbox } from '../src/sandbox/start.ts';
import { takeFreePorts } from '../src/sandbox/take-free-ports.ts';

// How fast a checkout gets its rates, over HTTP, with everything of Platen in one process and an embedded database:
// warm, carts that were asked about before; cold, carts that the print service's stand-in is asked about first.

/** What Shopify expects of an app at checkout, at the 95th percentile. */
const TARGET_MS = 500;
const WARM = { requests: 1_000, carts: 20, atOnce: 10 };
const COLD = { requests: 300, atOnce: 4 };
const ORDER = { price: 1900, grams: 200, requires_shipping: true, fulfillment_service: 'platen' };

const home = mkdtempSync(join(tmpdir(), 'platen-bench-'));
const [port = 0, printPort = 0, storePort = 0] = await takeFreePorts(3);
const config = readConfig({
  PLATEN_HOME: home,
  PORT: String(port),
  SANDBOX_PRINT_PORT: String(printPort),
  SANDBOX_STORE_PORT: String(storePort),
  LOG_LEVEL: 'warn',
});
await using running = new AsyncDisposableStack();
running.defer(() => rmSync(home, { recursive: true, force: true }));
const { sandbox, shopify } = config;
const stores = { port: storePort, appUrl: sandbox.appUrl, apiKey: shopify.apiKey, apiSecret: shopify.apiSecret };
const standIns = await startSandbox({
  home,
  print: { port: printPort, advanceSeconds: null, extended: true },
  store: stores,
});
running.defer(() => standIns.close());
const opened = await openApp(config, createLog('warn', 2), { poolSize: 20, applicationName: 'bench' });
running.defer(() => opened.close());
const { app, databaseUrl } = opened;
const doors = await runApp(app, { databaseUrl, polls: false });
running.defer(() => doors.stop());

const shop = await installDemoShop(app, standIns.store?.url ?? '');
const token = randomBytes(32).toString('base64url');
const settings = { ...shop.settings, liveRates: true };
await app.db.getRepository(Shops).update({ id: shop.id }, { settings, ratesTokenHash: hashRatesToken(token) });
const links = await app.db.getRepository(PrintLinks).find({ where: { shopId: shop.id }, take: 5 });
const variants = links.map(({ shopifyVariantId }) => shopifyVariantId?.split('/').at(-1));

/** Each number is another place and another cart. */
function toCart(number: number): string {
  const destination = { country: 'DE', postal_code: String(10_000 + number), city: 'Berlin', province: null };
  const items = variants
    .slice(0, 1 + (number % variants.length))
    .map((id) => ({ ...ORDER, variant_id: Number(id), quantity: 1 }));
  return JSON.stringify({ rate: { destination, items, currency: 'EUR', locale: 'de' } });
}

/** Milliseconds from the request to the last byte of the answer. */
async function ask(number: number): Promise<number> {
  const startedAt = performance.now();
  const { statusCode, body } = await request(`${doors.url}/rates/${token}`, { method: 'POST', body: toCart(number) });
  const { rates } = (await body.json()) as { rates: unknown[] };
  if (statusCode !== 200 || rates.length === 0) throw new Error(`A cart was answered ${statusCode} without rates.`);
  return performance.now() - startedAt;
}

async function measure(requests: number, atOnce: number, toNumber: (index: number) => number): Promise<number[]> {
  const taken: number[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < requests) taken.push(await ask(toNumber(next++)));
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return taken.toSorted((one, other) => one - other);
}

function tell(name: string, taken: number[], atOnce: number): number {
  const at = (share: number) => taken[Math.min(taken.length - 1, Math.floor(taken.length * share))] ?? 0;
  const [half, most, nearlyAll] = [at(0.5), at(0.95), at(0.99)].map((ms) => ms.toFixed(1));
  const share = (at(0.95) / TARGET_MS).toFixed(3);
  process.stdout.write(
    `${name}: ${taken.length} requests, ${atOnce} at once: p50 ${half} ms, p95 ${most} ms, p99 ${nearlyAll} ms; p95 is ${share} of ${TARGET_MS} ms\n`,
  );
  return at(0.95);
}

const cold = tell('cold', await measure(COLD.requests, COLD.atOnce, (index) => 1_000 + index), COLD.atOnce);
await measure(WARM.carts, 2, (index) => index);
const warm = tell('warm', await measure(WARM.requests, WARM.atOnce, (index) => index % WARM.carts), WARM.atOnce);
process.stdout.write(`cold to warm, p95: ${(cold / warm).toFixed(2)}\n`);
