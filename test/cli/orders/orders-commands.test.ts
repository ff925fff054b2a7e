import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Holds, StorefrontOrders, TimelineEntries } from '../../../src/database/entities/orders.ts';
import { type Shop } from '../../../src/database/entities/shops.ts';
import { addShop, readJobPayloads, openTestApp, type OpenTestApp } from '../../http/test-app.ts';
import { runPlatenOn, type Ran } from '../run-platen.ts';

let app: OpenTestApp;
let shop: Shop;

beforeAll(async () => void (app = await openTestApp()));
afterAll(() => app.close());
beforeEach(async () => {
  await app.db.query('delete from shops');
  shop = await addShop(app.db);
});

const platen = (...args: string[]): Promise<Ran> => runPlatenOn(app, args);
const shopOptions = () => ['--shop', shop.domain];

async function addOrder(number: number, hold?: string): Promise<string> {
  const { identifiers } = await app.db.manager.insert(StorefrontOrders, {
    shopId: shop.id,
    shopifyOrderId: `gid://shopify/Order/${number}`,
    name: `#${number}`,
    placedAt: new Date('2026-11-01T00:00:00Z'),
  });
  const storefrontOrderId = String(identifiers[0]?.['id']);
  if (hold)
    await app.db.manager.insert(Holds, { shopId: shop.id, storefrontOrderId, code: hold, message: 'It waits.' });
  return storefrontOrderId;
}

const read = (id: string) => app.db.manager.findOneByOrFail(StorefrontOrders, { id });

test('an order is held and approved by its name, number or GID, and each command reports the result', async () => {
  const id = await addOrder(1001);
  const held = await platen('orders', 'hold', '#1001', ...shopOptions());
  expect(held).toEqual({
    code: 0,
    stdout: '#1001 is on hold: Platen sends no further items of the order until it is approved.\n',
    stderr: '',
  });
  expect(await read(id)).toMatchObject({ heldBy: 'cli', heldAt: expect.any(Date) });
  for (const order of ['1001', 'gid://shopify/Order/1001']) {
    const ran = await platen('orders', 'approve', order, ...shopOptions());
    expect(ran).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^#1001 is approved/) });
  }
  expect(await read(id)).toMatchObject({ heldAt: null, approvedBy: 'cli' });
  expect(await readJobPayloads(app.db, 'plan_order')).toContainEqual({ storefrontOrderId: id });
});

test('a failed order does not stop the other orders, and the exit code is 1', async () => {
  const [canceled, open] = [await addOrder(1), await addOrder(2)];
  await app.db.manager.update(StorefrontOrders, { id: canceled }, { canceledAt: new Date() });
  const ran = await platen('orders', 'approve', '#1', '#3', '#2', ...shopOptions());
  expect(ran).toEqual({
    code: 1,
    stdout: expect.stringMatching(/^#2 is approved[^\n]*\n$/),
    stderr: '#1 was canceled in the store. This shop has no order #3.\n',
  });
  expect((await read(open)).approvedAt).not.toBeNull();
  expect((await read(canceled)).approvedAt).toBeNull();
});

test('platen orders approve --all approves only the orders that are waiting for approval', async () => {
  const waiting = await addOrder(1, 'needs_approval');
  const risky = await addOrder(2, 'high_risk');
  const free = await addOrder(3);
  const ran = await platen('orders', 'approve', '--all', ...shopOptions());
  expect(ran).toMatchObject({ code: 0, stdout: expect.stringMatching(/^#1 is approved[^\n]*\n$/) });
  expect((await read(waiting)).approvedAt).not.toBeNull();
  for (const id of [risky, free]) expect((await read(id)).approvedAt).toBeNull();
});

test('platen orders list shows the orders of one shop as a table or as one JSON array, --held only those with an open hold', async () => {
  expect((await platen('orders', 'list', '--json', ...shopOptions())).stdout).toBe('[]\n');
  await addOrder(1);
  await addOrder(2, 'no_address');
  const all = await platen('orders', 'list', '--json', ...shopOptions());
  expect(JSON.parse(all.stdout)).toMatchObject([
    { orderId: 'gid://shopify/Order/1', name: '#1', placedAt: '2026-11-01T00:00:00.000Z', state: 'waiting', holds: [] },
    { name: '#2', state: 'held' },
  ]);
  const canceled = await addOrder(3, 'cannot_cancel');
  await app.db.manager.update(StorefrontOrders, { id: canceled }, { canceledAt: new Date() });
  const json = await platen('orders', 'list', '--held', '--json', ...shopOptions());
  expect((JSON.parse(json.stdout) as { name: string }[]).map(({ name }) => name)).toEqual(['#2', '#3']);
  const table = await platen('orders', 'list', '--held', ...shopOptions());
  expect(table.stdout).toMatch(/^ORDER[^\n]*\n#2 +held[^\n]*\n#3 +canceled[^\n]*\n$/);
});

test('platen orders retry --all asks for confirmation and retries only orders with the given hold', async () => {
  const [addressed, other] = [await addOrder(1, 'no_address'), await addOrder(2, 'no_print_link')];
  const risky = await addOrder(3, 'no_address');
  const hold = { shopId: shop.id, storefrontOrderId: risky, code: 'high_risk', message: 'It waits.' };
  await app.db.manager.insert(Holds, hold);
  const retry = ['orders', 'retry', '--all', '--hold', 'no_address', ...shopOptions()];
  const planned = () => readJobPayloads(app.db, 'plan_order');
  const refused = await platen(...retry);
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toMatch(/^This will retry 1 order from \S+ held for no_address\. .*add --yes/);
  expect(await planned()).not.toContainEqual({ storefrontOrderId: addressed });
  const ran = await platen(...retry, '--yes');
  expect(ran).toMatchObject({
    code: 0,
    stderr: '',
    stdout: expect.stringMatching(/^#1 will be read from the store[^\n]*\n$/),
  });
  expect(await planned()).toContainEqual({ storefrontOrderId: addressed });
  for (const id of [other, risky]) expect(await planned()).not.toContainEqual({ storefrontOrderId: id });
  const none = await platen('orders', 'retry', '--all', '--hold', 'quote_refused', ...shopOptions());
  expect(none).toMatchObject({ code: 0, stdout: 'No orders are held for quote_refused.\n' });
});

test('control characters in texts from the print service are escaped in the output', async () => {
  const id = await addOrder(1);
  const message = 'Bad file\u001b]0;owned\u0007 \u001b[2J\u009b31m\u202Egpj.exe\u2069\r\nheld: nothing';
  await app.db.manager.insert(Holds, { shopId: shop.id, storefrontOrderId: id, code: 'service_failed', message });
  const timeline = { shopId: shop.id, storefrontOrderId: id, kind: 'noted', message, by: 'platen' as const };
  await app.db.manager.insert(TimelineEntries, { ...timeline, at: new Date() });
  for (const command of [['list'], ['show', '#1']]) {
    const text = await platen('orders', ...command, ...shopOptions());
    expect(text.stdout.replaceAll('\n', '')).toMatch(/^[^\p{Cc}\u202a-\u202e\u2066-\u2069]+$/u);
    expect(text.stdout).toContain(
      'Bad file\\u001b]0;owned\\u0007 \\u001b[2J\\u009b31m\\u202egpj.exe\\u2069  held: nothing',
    );
    const json = await platen('orders', ...command, '--json', ...shopOptions());
    expect(json.stdout.replaceAll('\n', '')).toMatch(/^[^\p{Cc}\u202a-\u202e\u2066-\u2069]+$/u);
    expect(JSON.parse(json.stdout)).toMatchObject(
      command.length > 1 ? { holds: [{ message }] } : [{ holds: [{ message }] }],
    );
  }
});

test('an order is shown as text or as one JSON document, with the possible actions', async () => {
  await addOrder(1, 'high_risk');
  const text = await platen('orders', 'show', shop.domain, '#1');
  expect(text.stdout).toMatch(
    /^#1 \(gid:\/\/shopify\/Order\/1\): held\nPlaten has not read the order .*\nHeld, high_risk: It waits\. .*Commands: platen orders approve, platen orders cancel\./,
  );
  const json = await platen('orders', 'show', shop.domain, '1', '--json');
  expect(JSON.parse(json.stdout)).toMatchObject({
    name: '#1',
    holds: [{ code: 'high_risk', actions: ['approve', 'cancel'] }],
  });
});
