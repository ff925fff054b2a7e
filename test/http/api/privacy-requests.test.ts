import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { TimelineEntries } from '../../../src/database/entities/orders.ts';
import type { Shop } from '../../../src/database/entities/shops.ts';
import { handleDelivery } from '../../../src/inbox/handle-delivery.ts';
import { addCustomerOrder, recipientOf } from '../../orders/privacy/add-customer-order.ts';
import {
  addShop,
  createTestSessionToken,
  createWebhookHeaders,
  openTestEndpoints,
  post,
  readDeliveriesOfShop,
  type TestEndpoints,
} from '../test-app.ts';

interface Listed {
  privacyRequests: {
    id: string;
    kind: string;
    doneAt: string | null;
    receivedAt: string;
    dueAt: string;
    orders: number;
  }[];
  next: string | null;
}

let endpoints: TestEndpoints;
let shop: Shop;

beforeAll(async () => void (endpoints = await openTestEndpoints()));
afterAll(() => endpoints.close());
beforeEach(async () => {
  await endpoints.app.db.query('delete from shops');
  shop = await addShop(endpoints.app.db);
});

function ask(path: string, of: Pick<Shop, 'domain'> = shop): Promise<Response> {
  return fetch(`${endpoints.url}/api/privacy-requests${path}`, {
    headers: { Authorization: `Bearer ${createTestSessionToken(of.domain)}` },
  });
}

async function list(path = '', of = shop): Promise<Listed> {
  return (await (await ask(path, of)).json()) as Listed;
}

/** Sends a delivery as Shopify does, and handles the delivery. */
async function send(topic: string, body: Record<string, unknown>): Promise<void> {
  const text = JSON.stringify({ shop_id: 954889, shop_domain: shop.domain, ...body });
  const answer = await post(
    `${endpoints.url}/webhooks/shopify`,
    text,
    createWebhookHeaders(text, { topic, shop: shop.domain }),
  );
  expect(answer.status).toBe(200);
  for (const { id } of await readDeliveriesOfShop(endpoints.app.db, shop))
    await handleDelivery(endpoints.app, { deliveryId: id });
}

const customer = { id: 191167, email: 'canary@person.example', phone: '+12015550123' };

test('a data request stays open until its export is read, and the export has only that customer’s data', async () => {
  const { printOrder } = await addCustomerOrder(endpoints.app, shop, 'Canary', 299938, {
    state: 'shipped',
    confirmStartedAt: new Date(),
    confirmedAt: new Date(),
  });
  await addCustomerOrder(endpoints.app, shop, 'Neighbor', 299939);
  const orders_requested = [299938, '280263'];
  await send('customers/data_request', { customer, orders_requested, data_request: { id: 9999 } });
  await send('customers/data_request', { customer, orders_requested, data_request: { id: 9999 } });
  const { privacyRequests, next } = await list();
  const orders = { orders: 1, orderIds: ['gid://shopify/Order/299938'], orderNames: ['#299938'] };
  expect(privacyRequests).toMatchObject([{ kind: 'data_request', ...orders, doneAt: null }]);
  expect(next).toBeNull();
  const [request] = privacyRequests;
  expect(Date.parse(request?.dueAt ?? '') - Date.parse(request?.receivedAt ?? '')).toBe(30 * 86_400_000);

  const answer = await ask(`/${request?.id}/export`);
  expect(answer.status).toBe(200);
  const exported = await answer.text();
  expect(exported).not.toContain('Neighbor');
  expect(JSON.parse(exported)).toMatchObject({
    shop: shop.domain,
    orders: [
      {
        orderId: 'gid://shopify/Order/299938',
        printOrders: [
          {
            reference: printOrder.reference,
            wasSent: true,
            recipient: recipientOf('Canary'),
            body: { shippingAddress: recipientOf('Canary').address },
          },
        ],
        holds: [{ code: 'create_refused', message: expect.stringContaining('Canary') }],
        events: [{ comment: 'for Canary' }],
      },
    ],
  });
  expect((await list()).privacyRequests).toMatchObject([{ doneAt: expect.any(String) }]);
  const lines = endpoints.app.logged().split('\n');
  const read = lines.filter((line) => line.includes('personal data was read'));
  expect(read).toHaveLength(1);
  expect(read[0]).toContain('gid://shopify/Order/299938');
  expect(endpoints.app.logged()).not.toMatch(/canary/i);
  const entries = await endpoints.app.db.manager.findBy(TimelineEntries, { kind: 'personal_data_read' });
  expect(entries).toMatchObject([{ shopId: shop.id, by: 'merchant', data: { requestId: request?.id } }]);
});

test('another shop’s request, an erasure request and an unknown request get the same 404', async () => {
  const other = await addShop(endpoints.app.db);
  await send('customers/data_request', { customer, orders_requested: [1], data_request: { id: 1 } });
  await send('customers/redact', { customer, orders_to_redact: ['1'] });
  const { privacyRequests } = await list();
  const [redact, data] = privacyRequests;
  expect(redact).toMatchObject({ kind: 'customer_redact', orders: 0, doneAt: expect.any(String) });
  const answers = [
    await ask(`/${data?.id}/export`, other),
    await ask(`/${redact?.id}/export`),
    await ask('/999999/export'),
    await ask('/x%27/export'),
  ];
  const bodies = await Promise.all(answers.map((answer) => answer.text()));
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
  expect(new Set(bodies).size).toBe(1);
  expect((await list('', other)).privacyRequests).toEqual([]);
  expect((await list()).privacyRequests.find(({ id }) => id === data?.id)?.doneAt).toBeNull();
});

test('the requests are listed newest first, 100 per page', async () => {
  await endpoints.app.db.query(
    `insert into privacy_requests (shop_id, kind, request_key, shopify_order_ids, received_at, due_at)
     select $1, 'data_request', n, '{}', now(), now() from generate_series(1, 130) n`,
    [shop.id],
  );
  const first = await list();
  const second = await list(`?before=${first.next}`);
  expect([first.privacyRequests.length, second.privacyRequests.length, second.next]).toEqual([100, 30, null]);
  const ids = [...first.privacyRequests, ...second.privacyRequests].map(({ id }) => Number(id));
  expect(ids).toEqual(ids.toSorted((one, two) => two - one));
  expect((await ask('?before=1%20or%201=1')).status).toBe(400);
});

test('the metrics count requests that have been open for 20 days', async () => {
  await send('customers/data_request', { customer, orders_requested: [], data_request: { id: 2 } });
  const read = async () =>
    (await (await fetch(`${endpoints.url}/metrics`)).text()).match(/^platen_privacy_requests_late (\S+)/m)?.[1];
  expect(await read()).toBe('0');
  await endpoints.app.db.query(`update privacy_requests set received_at = now() - interval '21 days'`);
  expect(await read()).toBe('1');
});
