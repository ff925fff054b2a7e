import { afterAll, beforeAll, expect, test } from 'vitest';
import { PrintAccounts, Shops, type Shop } from '../../../src/database/entities/shops.ts';
import { readCsv } from '../../../src/products/links/csv.ts';
import { addShop, openTestApp, type OpenTestApp } from '../../http/test-app.ts';
import { addCosts } from '../../orders/costs/add-costs.ts';
import { runPlatenOn } from '../run-platen.ts';

let app: OpenTestApp;
let shop: Shop;

beforeAll(async () => {
  app = await openTestApp();
  shop = await addShop(app.db);
  const { id: printAccountId } = await app.db.manager.save(PrintAccounts, {
    keyFingerprint: 'costs',
    keyEncrypted: 'x',
  });
  await app.db.manager.update(Shops, { id: shop.id }, { printAccountId });
  shop.printAccountId = printAccountId;
  await addCosts(app, shop, 1, 12, 20);
  await addCosts(app, shop, 2, 30, 21);
  await addCosts(app, shop, 3, null, 22);
});
afterAll(() => app.close());

const costs = (...args: string[]) => runPlatenOn(app, ['orders', 'costs', shop.domain, ...args]);

test('platen orders costs shows costs, amounts paid, margins and totals by currency', async () => {
  const { code, stdout, stderr } = await costs();
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^ORDER +PRINT ORDER +ORDERED +QUOTED +CHARGED +PAID +MARGIN$/m);
  expect(stdout).toMatch(/^#1 .*2026-11-20 +12.00 USD +12.00 USD +25.00 USD +13.00 USD \(52.0 %\)$/m);
  expect(stdout).toMatch(
    /^#3 .* \? +25.00 USD +\? The print service has not shown receipts for the whole order yet\.$/m,
  );
  expect(stdout).toMatch(/^2 print orders: 50.00 USD paid, 42.00 USD charged, 8.00 USD margin\.$/m);
  expect(stdout).toMatch(/^1 print order without a known margin\.$/m);
});

test('platen orders costs prints a period as JSON or CSV', async () => {
  const json = await costs('--since', '2026-11-21', '--until', '2026-11-21', '--json');
  expect(JSON.parse(json.stdout)).toMatchObject([{ order: '#2', margin: { amount: '-5.00' } }]);
  const csv = await costs('--until', '2026-11-20', '--csv');
  const { records } = await readCsv(csv.stdout, { separator: ',', most: 10 });
  expect(records.map(([order]) => order)).toEqual([expect.stringContaining('Order'), '#1']);
});

test('platen orders show lists the costs of an order', async () => {
  const { stdout } = await runPlatenOn(app, ['orders', 'show', shop.domain, '#1']);
  expect(stdout).toContain(
    'For the printed items: the buyer paid 25.00 USD excluding taxes, the print service charged 12.00 USD, the margin is 13.00 USD (52.0 %).',
  );
});
