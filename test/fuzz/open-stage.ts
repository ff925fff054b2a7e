import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { In } from 'typeorm';
import { expect, vi } from 'vitest';
import { createSessionToken } from '../../sandbox/store/access/session-token.ts';
import { PrintLinks } from '../../src/database/entities/products.ts';
import { PrivacyRequests } from '../../src/database/entities/privacy-requests.ts';
import { StoreProducts } from '../../src/database/entities/store-products.ts';
import { Shops, type Shop } from '../../src/database/entities/shops.ts';
import { hashRatesToken } from '../../src/rates/rates-address.ts';
import { createPrintWebhookAddress } from '../../src/shops/print-account/print-webhook-address.ts';
import { openOtherShop } from '../helpers/open-other-shop.ts';
import { startPlaten, type Platen } from '../helpers/platen.ts';
import { untilIdle } from '../helpers/until-idle.ts';
import type { RequestInputs } from '../http/draft-request.ts';
import { toEvents, toWebhooks, withValues } from './fuzz-endpoints.ts';
import { recordedBodies } from './recorded-bodies.ts';
import type { Report } from './web-process.ts';

const DAY_MS = 86_400_000;
/** The shop named in webhooks that uninstall Platen or erase a shop's data. */
const REMOVED_SHOP = 'removed.myshopify.com';
const STORE_ID = '5eed0000-0000-4000-8001-000000000001';
const STORE_PRODUCT_ID = 'shirt';
const RATES_TOKEN = 'rates-token-of-the-fuzzed-shop';
/** Secrets of the process, which no response may contain. */
const METRICS_TOKEN = 'metrics-token-of-the-fuzz';
const ENCRYPTION_KEY = Buffer.alloc(32, 'fuzzed-encryption-key').toString('base64');

/**
 * Starts Platen with orders in several states, and a second process that serves its endpoints with wide limits. From then on, no job runs:
 * the queue only stores the jobs.
 */
export async function openStage() {
  await using started = new AsyncDisposableStack();
  const platen = await startPlaten({
    time: 'real',
    advanceSeconds: null,
    environment: { ENCRYPTION_KEY, PRINT_TIMEOUT_SECONDS: '5' },
    settings: { delayMinutes: 0 },
  });
  started.defer(() => platen.stop());
  const spare = await openOtherShop(platen, { domain: 'spare.myshopify.com' });
  const leaving = await openOtherShop(platen, { domain: 'leaving.myshopify.com' });
  await openOtherShop(platen, { domain: REMOVED_SHOP });
  const orders = await placeOrders(platen);
  const home = mkdtempSync(join(tmpdir(), 'platen-fuzz-'));
  started.defer(() => rmSync(home, { recursive: true, force: true }));
  await deferJobs(platen);
  const keys = await readKeys(platen, orders, { spare, leaving });
  const logFile = join(home, 'log');
  const web = await startWeb(platen, home, logFile);
  started.defer(() => web.stop());
  const kept = started.move();
  return {
    platen,
    keys,
    port: web.port,
    readMemory: () => web.readMemory(),
    /**
     * Restores the shop's connections that earlier requests have removed. `extendedCalls` determines which parts of an event are stored.
     */
    async repairShops(extendedCalls: boolean): Promise<void> {
      const shops = platen.app.db.getRepository(Shops);
      const whole = { state: 'installed' as const, leftAt: null, printAccountId: platen.shop.printAccountId };
      await shops.update({ domain: In([keys.spareShop, keys.leavingShop, keys.removedShop]) }, whole);
      const { settings } = await shops.findOneByOrFail({ id: platen.shop.id });
      await shops.update({ id: platen.shop.id }, { settings: { ...settings, extendedCalls } });
    },
    /** Returns why the process has ended, or null while it runs. */
    ended: web.ended,
    readLog: () => readFileSync(logFile, 'utf8'),
    secrets: {
      'the metrics token': METRICS_TOKEN,
      'the encryption key': ENCRYPTION_KEY,
      'the client secret': platen.app.config.shopify.apiSecret,
      'the print key': 'sandbox-key',
      'the address of the database': (platen.app.db.options as { url: string }).url,
      'the home folder': home,
      'the working folder': process.cwd(),
    },
    close: () => kept.disposeAsync(),
  };
}
export type Stage = Awaited<ReturnType<typeof openStage>>;

/** The number of orders that are paid and therefore sent to print. The others are pending. */
const PAID = 6;
const CATALOG = ['POSTER-30X40', 'MUG-11OZ', 'POSTER-13X18'];

async function placeOrders(platen: Platen): Promise<string[]> {
  const placed: string[] = [];
  for (let index = 0; index < 9; index += 1) {
    const financialStatus = index < PAID ? 'paid' : 'pending';
    const { id } = await platen.placeSkus({ [CATALOG[index % 3] ?? '']: 1, 'POSTER-13X18': 2 }, { financialStatus });
    placed.push(id);
  }
  // After a failure, a job waits for a few seconds and is not due, so an idle queue does not mean that the orders are at the service.
  const printed = await vi.waitFor(
    async () => {
      const orders = (await platen.printed()).filter(({ orderType }) => orderType === 'order');
      expect(orders.length).toBeGreaterThanOrEqual(PAID);
      return orders;
    },
    { timeout: 60_000, interval: 100 },
  );
  for (const [index, to] of ['in_production', 'shipped'].entries())
    await platen.control('print', 'POST', `/orders/${printed[index]?.id}/advance`, { to });
  await untilIdle(platen.app);
  return placed;
}

/** Makes the queue delay each new job by a day, so that only the requests change the orders. */
async function deferJobs({ app }: Platen): Promise<void> {
  await untilIdle(app);
  await app.db.query(`create function defer_job() returns trigger language plpgsql as
    $$ begin new.run_at := now() + interval '1 day'; return new; end $$`);
  await app.db.query(`create trigger defer_job before insert or update of run_at on graphile_worker._private_jobs
    for each row execute function defer_job()`);
}

const toDigits = (gid: string): string => gid.split('/').at(-1) ?? '';

async function readKeys(
  platen: Platen,
  orders: string[],
  { spare, leaving }: Record<'spare' | 'leaving', Shop>,
): Promise<RequestInputs> {
  const { app, shop } = platen;
  await app.db.getRepository(Shops).update(
    { id: shop.id },
    {
      ratesTokenHash: hashRatesToken(RATES_TOKEN),
      settings: {
        ...shop.settings,
        liveRates: true,
        alertEmails: ['merchant@shop.example'],
        printStoreId: STORE_ID,
      },
    },
  );
  const printAddress = await createPrintWebhookAddress(app, shop);
  const links = await app.db.manager.findBy(PrintLinks, { shopId: shop.id });
  const spareLinks = await app.db.manager.findBy(PrintLinks, { shopId: spare.id });
  const variants = links.flatMap(({ shopifyVariantId }) => shopifyVariantId ?? []);
  const spareVariants = spareLinks.flatMap(({ shopifyVariantId }) => shopifyVariantId ?? []);
  const request = {
    shopId: shop.id,
    kind: 'data_request' as const,
    requestKey: 'one',
    shopifyOrderIds: orders.slice(0, 1),
  };
  const times = { receivedAt: new Date(), dueAt: new Date(Date.now() + 30 * DAY_MS) };
  const { id: requestId } = await app.db.manager.save(PrivacyRequests, { ...request, ...times });
  const ask = (path: string) => fetchOwnJson(platen, path);
  const { catalogs } = (await ask('/catalog')) as { catalogs: { catalogUid: string }[] };
  const templates = (await platen.control('print', 'GET', '/templates')) as {
    id: string;
    variants: { id: string }[];
  }[];
  const [template] = templates;
  await platen.control('store', 'POST', `/shops/${shop.domain}/scopes`, { grant: ['write_orders', 'read_all_orders'] });
  const csv = await (await fetchOwn(platen, '/print-links/export')).text();
  const found = (await ask(`/orders/${toDigits(orders[0] ?? '')}`)) as {
    printOrders: { reference: string; serviceOrderId?: string }[];
  };
  const [printed] = await platen.printed();
  await app.db.manager.insert(StoreProducts, {
    shopId: shop.id,
    printAccountId: shop.printAccountId ?? 0,
    storeId: STORE_ID,
    storeProductId: STORE_PRODUCT_ID,
    title: 'A shirt',
    status: 'active',
    readingSha256: '',
    readAt: new Date(),
  });
  const printedItem = printed?.items[0]?.itemReferenceId ?? '';
  const products = [await addProduct(platen, 'A poster'), await addProduct(platen, 'A mug')];
  return {
    spareShop: spare.domain,
    leavingShop: leaving.domain,
    removedShop: REMOVED_SHOP,
    secret: app.config.shopify.apiSecret,
    appUrl: app.config.shopify.appUrl,
    shop: shop.domain,
    printToken: new URL(printAddress).pathname.split('/').at(-1) ?? '',
    ratesToken: RATES_TOKEN,
    metricsToken: METRICS_TOKEN,
    values: {
      orders: orders.map(toDigits),
      order: [...orders, '#1001'],
      id: orders,
      printOrder: [...found.printOrders.map(({ reference }) => reference), null],
      'privacy-requests': [requestId],
      action: ['approve', 'hold', 'retry', 'cancel', 'print-again', 'continue', 'close'],
      variantId: [...variants, ...spareVariants].map(toDigits),
      ids: [variants.map(toDigits).slice(0, 5).join(',')],
      sku: links.flatMap(({ sku }) => sku ?? []),
      productId: products,
      products,
      productUid: links.map(({ productUid }) => productUid),
      fileUrl: links.flatMap(({ fileUrl }) => fileUrl ?? []),
      catalogUid: catalogs.map(({ catalogUid }) => catalogUid),
      templateId: [template?.id],
      templateVariantId: template?.variants.map(({ id }) => id) ?? [],
      templates: templates.map(({ id }) => id),
      imagePlaceholders: [{ name: 'ImageFront', fileUrl: links.find(({ fileUrl }) => fileUrl !== null)?.fileUrl }],
      textPlaceholders: [{ name: 'Text', text: 'Hello' }],
      storeProductId: [STORE_PRODUCT_ID],
      storeId: [STORE_ID],
      after: ['1', '100', variants[0]],
      before: ['1', '100'],
      since: ['2026-01-01', '2026-11-01T08:00:00Z'],
      until: ['2026-12-31'],
      method: ['normal', 'express', null],
      country: ['DE', 'US', 'GB'],
      currency: ['EUR', 'USD', null],
      postCode: ['10115'],
      email: ['buyer@shop.example'],
      printKey: ['sandbox-key'],
      title: ['A poster'],
      csv: [csv],
      file: ['page.css', 'resume-left-shop.js', 'admin.js'],
      section: ['print', 'orders', 'shipping'],
      path: ['orders', 'settings/print'],
    },
    webhooks: [
      ...toWebhooks().map(([topic, bodies]): [string, unknown[]] =>
        topic === 'app/uninstalled'
          ? [topic, bodies.map((body) => withValues(body, { myshopify_domain: REMOVED_SHOP }))]
          : [topic, bodies],
      ),
      ...['customers/redact', 'customers/data_request', 'shop/redact'].map((topic): [string, unknown[]] => {
        const body = recordedBodies('shopify').get(`doc_${topic.replace('/', '_')}.json`);
        return [topic, [body, withValues(body, { shop_domain: REMOVED_SHOP, customer: { id: 1 } })]];
      }),
    ],
    events: toEvents({
      reference: printed?.orderReferenceId ?? '',
      serviceOrderId: printed?.id ?? null,
      itemReferenceId: printedItem,
    }),
    carts: [cartOf(variants), recordedBodies('shopify').get('doc_carrier_service_rate_request.json')],
  };
}

/** Adds a product to the store, and returns the number in its ID. */
async function addProduct(platen: Platen, title: string): Promise<string> {
  const body = { shop: platen.shop.domain, title, variants: [{ sku: `${title}-1` }, { sku: `${title}-2` }] };
  const { productId } = (await platen.control('store', 'POST', '/products', body)) as { productId: string };
  return toDigits(productId);
}

/** Returns the recorded cart with printed variants. */
function cartOf(variants: readonly string[]): unknown {
  const recorded = recordedBodies('shopify').get('doc_carrier_service_rate_request.json') as {
    rate: { items: object[] };
  };
  const items = variants.slice(0, 2).map((id) => ({ ...recorded.rate.items[0], variant_id: Number(toDigits(id)) }));
  return { rate: { ...recorded.rate, items } };
}

function fetchOwn({ app, shop, url }: Platen, path: string): Promise<Response> {
  const token = createSessionToken(app.config.shopify, shop.domain);
  return fetch(`${url}/api${path}`, { headers: { Authorization: `Bearer ${token}` } });
}

async function fetchOwnJson(platen: Platen, path: string): Promise<unknown> {
  return (await fetchOwn(platen, path)).json();
}

async function startWeb({ app, storeUrl, printUrl }: Platen, home: string, logFile: string) {
  const { url } = app.db.options as { url: string };
  const environment = {
    PATH: process.env['PATH'],
    PLATEN_HOME: home,
    DATABASE_URL: url,
    PORT: '0',
    SHOPIFY_APP_URL: app.config.shopify.appUrl,
    SANDBOX_STORE_PORT: new URL(storeUrl).port,
    SANDBOX_PRINT_PORT: new URL(printUrl).port,
    PRINT_TIMEOUT_SECONDS: '5',
    ENCRYPTION_KEY,
    METRICS_TOKEN,
  };
  const child = fork(join(import.meta.dirname, 'web-process.ts'), ['info', logFile], {
    env: environment,
    execArgv: ['--expose-gc'],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const said: string[] = [];
  let end: string | null = null;
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => void said.push(String(chunk)));
  child.on('exit', (code, signal) => void (end = `${code ?? signal}: ${said.join('').slice(-3_000)}`));
  const hear = async (): Promise<Report> => {
    const listening = new AbortController();
    const over = once(child, 'exit', { signal: listening.signal }).then((): [null] => [null]);
    const [heard] = (await Promise.race([once(child, 'message'), over])) as [Report | null];
    listening.abort();
    await over.catch(() => undefined);
    if (heard === null) throw new Error(`The process that serves the endpoints has ended with ${end}`);
    return heard;
  };
  const first = await hear();
  if (!('port' in first)) throw new Error('The process reported no port.');
  return {
    port: first.port,
    ended: () => end,
    async readMemory() {
      child.send('memory');
      const report = await hear();
      if ('port' in report) throw new Error('The process reported no memory.');
      return report;
    },
    async stop() {
      if (end !== null) return;
      const over = once(child, 'exit');
      child.disconnect();
      await over;
    },
  };
}
