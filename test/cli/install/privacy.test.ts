import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { StorefrontOrders } from '../../../src/database/entities/orders.ts';
import { Shops, type Shop } from '../../../src/database/entities/shops.ts';
import { receiveDataRequest } from '../../../src/orders/privacy/receive-data-request.ts';
import { addShop, readJobPayloads, openTestApp, type OpenTestApp } from '../../http/test-app.ts';
import { addCustomerOrder } from '../../orders/privacy/add-customer-order.ts';
import { runPlatenOn, type Ran } from '../run-platen.ts';

let app: OpenTestApp;
let shop: Shop;

beforeAll(async () => void (app = await openTestApp()));
afterAll(() => app.close());
beforeEach(async () => void (shop = await addShop(app.db)));

function platen(...args: string[]): Promise<Ran> {
  return runPlatenOn(app, ['privacy', ...args]);
}

const ORDER = 'gid://shopify/Order/299938';

test('a data request is listed and exported as one JSON document', async () => {
  await addCustomerOrder(app, shop, 'Canary', 299938);
  await receiveDataRequest(app, shop, {
    resourceIds: { orders: ORDER, request: '9999' },
    receivedAt: new Date(),
  });
  const listed = JSON.parse((await platen('list', shop.domain, '--json')).stdout) as { id: string }[];
  expect(listed).toMatchObject([{ kind: 'data_request', orderIds: [ORDER], doneAt: null }]);
  const [request] = listed;
  const exported = await platen('export', shop.domain, request?.id ?? '');
  expect(exported).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(exported.stdout)).toMatchObject({ orders: [{ orderId: ORDER }] });
  expect(exported.stdout).toContain('LastCanary');
  expect((await platen('list', shop.domain)).stdout).toMatch(/^\d+ +data_request +.* 1 *$/m);
  const other = await addShop(app.db);
  const refused = await platen('export', other.domain, request?.id ?? '');
  expect(refused).toMatchObject({ code: 1, stdout: '', stderr: 'There is no such data request.\n' });
});

test('platen privacy redact erases the customers of the specified orders', async () => {
  const { order } = await addCustomerOrder(app, shop, 'Canary', 299939);
  const ran = await platen('redact', shop.domain, '299939', '404', ORDER);
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  expect(ran.stdout).toContain('Platen knows 1 of 3 orders.\n');
  const redacted = await app.db.manager.findOneByOrFail(StorefrontOrders, { id: order.id });
  expect(redacted.redactedAt).not.toBeNull();
  expect(await readJobPayloads(app.db, 'redact_order')).toContainEqual({ storefrontOrderId: order.id });
});

test('platen privacy forget deletes a shop that has uninstalled Platen, but not a shop that has Platen installed', async () => {
  expect(await platen('forget', shop.domain)).toMatchObject({
    code: 1,
    stderr: `${shop.domain} was not erased, because Platen is installed there.\n`,
  });
  await app.db.manager.update(Shops, { id: shop.id }, { state: 'needs_sign_in' });
  expect(await platen('forget', shop.domain)).toMatchObject({ code: 0 });
  expect(await app.db.manager.findOneBy(Shops, { id: shop.id })).toBeNull();
});
