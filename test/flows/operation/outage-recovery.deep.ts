import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { App } from '../../../src/app.ts';
import { PrintOrders } from '../../../src/database/entities/print-orders.ts';
import { openOtherShop } from '../../helpers/open-other-shop.ts';
import { startPlaten, type Platen } from '../../helpers/platen.ts';
import { injectFaults } from '../submit/submit-helpers.ts';
import { eventually } from '../../helpers/eventually.ts';

const SKU = 'POSTER-30X40';
const LARGE = 12;
const SMALL = 2;

async function placeIn(platen: Platen, domain: string): Promise<void> {
  const variants = (await platen.control('store', 'GET', `/variants?shop=${domain}`)) as {
    sku: string;
    variantId: string;
  }[];
  const variantId = variants.find(({ sku }) => sku === SKU)?.variantId;
  await platen.placeOrder({ shop: domain, lines: [{ variantId, quantity: 1 }] });
}

function countQuotes({ db }: App): Promise<unknown> {
  return db.query(
    `select count(*) filter (where run_at > now())::int as waiting, count(*) filter (where run_at <= now())::int as due
     from graphile_worker.jobs where task_identifier = 'quote_order'`,
  );
}

test('after a print service outage, every order resumes, and a large shop does not delay other shops', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'platen-log-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const logFile = join(folder, 'log');
  const platen = await startPlaten({ advanceSeconds: null, logFile, environment: { LOG_LEVEL: 'info' } });
  onTestFinished(() => platen.stop());
  const { app, shop } = platen;
  const other = await openOtherShop(platen);
  await injectFaults(platen, [{ path: '/v', rate: 1, kind: 'status', status: 503 }]);
  for (let count = 0; count < LARGE; count += 1) await placeIn(platen, shop.domain);
  for (let count = 0; count < SMALL; count += 1) await placeIn(platen, other.domain);
  await eventually(() => app.db.manager.countBy(PrintOrders, { state: 'planned' })).toBe(LARGE + SMALL);
  // Each order's quote has failed, and the order is waiting for its retry.
  await eventually(() => countQuotes(app)).toEqual([{ waiting: LARGE + SMALL, due: 0 }]);

  await injectFaults(platen, []);
  const orders = async () => (await platen.printed()).filter(({ orderType }) => orderType === 'order');
  await eventually(async () => (await orders()).length).toBe(LARGE + SMALL);
  // IDs increase in the order in which the service accepted the orders.
  const accepted = (await orders())
    .toSorted((one, next) => (one.id < next.id ? -1 : 1))
    .map(({ metadata }) => metadata.find(({ key }) => key === 'shop')?.value);
  const placesOf = (domain: string) => accepted.flatMap((one, place) => (one === domain ? [place] : []));
  expect(placesOf(shop.domain)).toHaveLength(LARGE);
  expect(Math.max(...placesOf(other.domain))).toBeLessThan(0.75 * LARGE);

  const lines = readFileSync(logFile, 'utf8').trim().split('\n');
  const logged = lines.map((line) => JSON.parse(line) as { level: number; msg: string; shop?: string });
  const ofOutage = logged.filter(({ msg }) => msg.includes('outage of the print service'));
  expect(ofOutage.map(({ level, msg }) => [level, /has started|is over/.exec(msg)?.[0]])).toEqual([
    [40, 'has started'],
    [30, 'is over'],
  ]);
  expect([shop.domain, other.domain]).toContain(ofOutage[0]?.shop);
  expect(logged.filter(({ level }) => level >= 40)).toEqual(ofOutage.slice(0, 1));
});
