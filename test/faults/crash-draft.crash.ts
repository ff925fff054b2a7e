import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { StorefrontOrders } from '../../src/database/entities/orders.ts';
import { atService, untilPrintedOnce } from '../flows/submit/submit-helpers.ts';
import { readDeliveriesOfShop, post, createWebhookHeaders } from '../http/test-app.ts';
import { callOf, commitOf, openCrashLab } from './crash-points.ts';
import type { CrashLab, Point } from './crash-points.ts';

const CREATE = 'POST /v3/orders';
const CONFIRM = 'PATCH /v4/orders/';
const ATTEMPT = /insert into submit_attempts/;
const CHOICE = /update print_orders t set .*"service_order_id" = v/;
const START = /update print_orders t set .*"confirm_started_at" = v/;
const TAKEN = /"confirmed_at" = v/;

let lab: CrashLab;
beforeAll(async () => {
  lab = await openCrashLab({ submit: 'draft' });
}, 180_000);
afterAll(() => lab.close());

/** One point of each kind. The simulator kills processes between any two steps. */
const POINTS: [where: string, how: Point['how'], isHere: () => Point['isHere']][] = [
  ['is killed after its attempt is committed', 'kill', () => commitOf(ATTEMPT, 'after')],
  ['is killed once the draft is created, before it gets any response', 'kill', () => callOf(CREATE, 'done')],
  ['is killed after the draft is chosen', 'kill', () => commitOf(CHOICE, 'after')],
  ['is killed after the start of the confirm request is committed', 'kill', () => commitOf(START, 'after')],
  ['is killed once the draft is confirmed, before it gets any response', 'kill', () => callOf(CONFIRM, 'done')],
  ['is killed before the order is stored as confirmed', 'kill', () => commitOf(TAKEN, 'before')],
  ['loses its connection before it learns that its attempt was committed', 'cut', () => commitOf(ATTEMPT, 'after')],
  [
    'loses its connection before it learns that the start of the confirm request was committed',
    'cut',
    () => commitOf(START, 'after'),
  ],
];

describe('an order created as a draft is printed once, whatever happens to its worker', () => {
  test.each(POINTS)('the order is printed once if its worker %s', async (_where, how, isHere) => {
    lab.work();
    const reached = lab.at({ isHere: isHere(), how });
    const order = await lab.platen.placeSkus({ 'POSTER-30X40': 1 });
    await reached;
    lab.work();
    await untilPrintedOnce(lab.platen, [order]);
    expect(await lab.platen.printedFor(order.name)).toMatchObject([
      { items: [{ quantity: 1, itemReferenceId: order.lines[0]?.id.split('/').at(-1) }] },
    ]);
    // A draft whose create response was lost may remain. It costs nothing and never becomes an order.
    const spare = (await atService(lab.platen, order)).filter(({ orderType }) => orderType !== 'order');
    expect(spare.length).toBeLessThanOrEqual(1);
    expect((await lab.platen.listed(order.id)).holds).toEqual([]);
  });
});

test('a worker that is frozen before its confirm request resumes with that request, and the order is printed once', async () => {
  const worker = lab.work();
  const frozen = lab.at({ isHere: commitOf(START, 'after'), how: 'freeze' });
  const order = await lab.platen.placeSkus({ 'POSTER-30X40': 1 });
  await frozen;
  // Wait for several seconds after the start of the confirm request. The draft mode does not depend on the quiet time, so this is long
  // enough.
  const hasStoodLong = (): Promise<unknown[]> =>
    lab.platen.app.db.query(
      `select p.id from print_orders p join storefront_orders o on o.id = p.storefront_order_id
       where o.shopify_order_id = $1 and p.confirm_started_at < now() - interval '5 seconds'`,
      [order.id],
    );
  await expect.poll(hasStoodLong, { timeout: 60_000, interval: 500 }).toHaveLength(1);
  expect(await lab.platen.printedFor(order.name)).toEqual([]);
  worker.child.kill('SIGCONT');
  await untilPrintedOnce(lab.platen, [order]);
});

test('a webhook counts as a duplicate if another process stored it and died before responding', async () => {
  const { platen } = lab;
  const web = lab.startProcess({ ROLE: 'web', PORT: '0' });
  const address = /Platen listens on (http:\S+)\./;
  await expect.poll(() => web.output(), { timeout: 60_000 }).toMatch(address);
  const endpoint = `${address.exec(web.output())?.[1]}/webhooks/shopify`;
  const body = '{"id":820982911946154508,"admin_graphql_api_id":"gid://shopify/Order/820982911946154508"}';
  const headers = createWebhookHeaders(body, { shop: platen.shop.domain, 'X-Shopify-Webhook-Id': randomUUID() });
  const dead = lab.at({ isHere: commitOf(/insert into deliveries/i, 'after'), how: 'kill' });
  const answer = post(endpoint, body, headers).then(
    ({ status }) => status,
    () => 'none',
  );
  await dead;
  expect(await answer).toBe('none');
  const kept = async () =>
    (await readDeliveriesOfShop(platen.app.db, platen.shop)).filter(
      ({ dedupeKey }) => dedupeKey === headers['X-Shopify-Webhook-Id'],
    );
  const [first] = await kept();
  expect(first).toBeDefined();
  expect((await post(`${platen.url}/webhooks/shopify`, body, headers)).status).toBe(200);
  expect(await kept()).toHaveLength(1);
  const shopifyOrderId = 'gid://shopify/Order/820982911946154508';
  const orders = await platen.app.db.manager.findBy(StorefrontOrders, { shopId: platen.shop.id, shopifyOrderId });
  expect(orders).toHaveLength(1);
});
