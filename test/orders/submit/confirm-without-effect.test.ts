import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { StorefrontOrders } from '../../../src/database/entities/orders.ts';
import { showOrder } from '../../../src/orders/manual-actions/show-order.ts';
import { toTasks } from '../../../src/tasks.ts';
import { openTestShop, type TestShop } from '../../shipments/test-shop.ts';
import { buyPlanned } from '../waits/buy-planned.ts';

let proxy: Server;
let confirms = 0;
let shop: TestShop;

/** Opens a proxy of the service that turns each PATCH into a GET. A confirm request then gets a 200 response with the unchanged draft. */
async function openIgnoring(printUrl: string): Promise<string> {
  proxy = createServer((incoming, outgoing) => {
    const { method, url = '/', headers } = incoming;
    const isConfirm = method === 'PATCH';
    if (isConfirm) confirms += 1;
    const given = isConfirm
      ? { method: 'GET', headers: { 'x-api-key': headers['x-api-key'], host: headers.host } }
      : { method, headers };
    const onward = request(new URL(url, printUrl), given, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    if (isConfirm) onward.end();
    else incoming.pipe(onward);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}

beforeAll(async () => void (shop = await openTestShop({ between: openIgnoring })));
afterAll(async () => {
  await shop.close();
  proxy.closeAllConnections();
  proxy.close();
});

test('a print order waits if its draft is still a draft after the service accepted the confirm request, and is held if that does not change', async () => {
  const { app } = shop;
  const { storefrontOrder, printOrder } = await buyPlanned(shop);
  const tasks = toTasks(app);
  await tasks.quote_order({ storefrontOrderId: storefrontOrder.id });
  const run = () => tasks.submit_print_order({ printOrderId: printOrder.id });
  const shown = async () =>
    showOrder(app, await app.db.manager.findOneByOrFail(StorefrontOrders, { id: storefrontOrder.id }));
  await run();
  expect(confirms).toBe(1);
  expect((await shown()).waits).toMatchObject([
    { message: expect.stringContaining('is still a draft there'), nextAt: expect.any(String) },
  ]);
  for (let tries = 2; tries <= 4; tries += 1) await run();
  shop.later(16 * 60);
  await run();
  expect((await shown()).holds).toMatchObject([{ code: 'step_failing' }]);
  // The order was not created a second time.
  const made = await shop.inPrint<{ orderType: string }[]>('/orders');
  expect(made.map(({ orderType }) => orderType)).toEqual(['draft']);
});
