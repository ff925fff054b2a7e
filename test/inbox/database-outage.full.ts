import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { openOwnCluster, type OwnCluster } from '../helpers/own-cluster.ts';
import { openTcpProxy, type TcpProxy } from '../helpers/tcp-proxy.ts';
import { countStored, openIntakeEndpoints, type Answer } from './intake-endpoints.ts';

let cluster: OwnCluster;
let proxy: TcpProxy;
let endpoints: Awaited<ReturnType<typeof openIntakeEndpoints>>;

beforeAll(async () => void (cluster = await openOwnCluster()));
afterAll(() => cluster.close());

beforeEach(async () => {
  const url = new URL(cluster.url);
  proxy = await openTcpProxy({ host: url.hostname, port: Number(url.port) });
  url.hostname = '127.0.0.1';
  url.port = String(proxy.port);
  endpoints = await openIntakeEndpoints(url.href);
});

afterEach(async () => {
  await endpoints.close();
  await proxy.close();
});

const untilStored = (): Promise<void> =>
  expect.poll(() => endpoints.deliver().then(({ status }) => status), { timeout: 30_000 }).toBe(200);

test('no acknowledged delivery is lost while the database is repeatedly restarted and killed', async () => {
  const answers: { source: 'store' | 'print'; answer: Answer }[] = [];
  let isOver = false;
  const keepSending = async (source: 'store' | 'print'): Promise<void> => {
    while (!isOver)
      answers.push({ source, answer: await (source === 'store' ? endpoints.deliver() : endpoints.report()) });
  };
  const sending = ['store', 'print', 'store', 'print'].map((source) => keepSending(source as 'store' | 'print'));
  try {
    for (const act of ['restart', 'kill', 'restart', 'kill'] as const) {
      const before = answers.length;
      await expect.poll(() => answers.length, { timeout: 60_000 }).toBeGreaterThan(before + 20);
      await cluster[act]();
      await untilStored();
    }
  } finally {
    isOver = true;
    await Promise.all(sending);
  }
  await expect.poll(() => endpoints.spoolBytes()).toBe(0);

  const kept = await countStored(cluster.db);
  const statusesOf = (source: string) =>
    new Set(answers.filter((one) => one.source === source).map(({ answer }) => answer.status));
  expect(statusesOf('print')).toEqual(new Set([200]));
  // During the outages, Shopify's deliveries were refused, always with a 503.
  expect(statusesOf('store')).toEqual(new Set([200, 503]));
  const lost = answers.filter(({ answer }) => answer.status === 200 && kept.get(answer.id) !== 1);
  expect(lost).toEqual([]);
  for (const { answer } of answers) expect(answer.ms).toBeLessThan(30_000);
});

test('connections that die without being closed are dropped in time and replaced', async () => {
  await Promise.all(Array.from({ length: 5 }, () => endpoints.deliver()));
  proxy.swallow({ alsoNew: true });
  const refused = await Promise.all(Array.from({ length: 8 }, () => endpoints.deliver()));
  for (const { status, ms } of refused) {
    expect(status).toBe(503);
    expect(ms).toBeLessThan(5_000);
  }
  const spooled = await Promise.all(Array.from({ length: 8 }, () => endpoints.report()));
  for (const { status } of spooled) expect(status).toBe(200);

  proxy.carry();
  await untilStored();
  for (const { id } of refused) expect((await endpoints.deliver(id)).status).toBe(200);
  await expect.poll(() => endpoints.spoolBytes()).toBe(0);
  const kept = await countStored(cluster.db);
  expect([...refused, ...spooled].map(({ id }) => kept.get(id))).toEqual(Array.from({ length: 16 }, () => 1));
});

test('jobs get new connections after their old connections die without being closed', async () => {
  const { db } = endpoints.app;
  await Promise.all(Array.from({ length: 10 }, () => db.query('select pg_sleep(0.1)')));
  proxy.swallow({ alsoNew: false });
  const failed = await Promise.allSettled(Array.from({ length: 10 }, () => db.query('select 1')));
  expect(new Set(failed.map(({ status }) => status))).toEqual(new Set(['rejected']));
  // None of the dead connections remains in the pool.
  expect(await Promise.all(Array.from({ length: 10 }, () => db.query('select 1 as one')))).toHaveLength(10);
});

test('a delivery with an unconfirmed commit is refused and is stored once when it arrives again', async () => {
  await endpoints.deliver();
  const lost = proxy.loseAnswerTo('keep-deliveries');
  const first = await endpoints.deliver();
  await lost;
  expect(first.status).toBe(503);
  // The server has committed the delivery.
  await expect.poll(async () => (await countStored(cluster.db)).get(first.id)).toBe(1);
  expect((await endpoints.deliver(first.id)).status).toBe(200);
  expect((await countStored(cluster.db)).get(first.id)).toBe(1);
  const jobs: unknown[] = await cluster.db.query(
    `select from graphile_worker.jobs j join storefront_orders o on j.key = 'plan:' || o.id where o.shop_id = $1`,
    [endpoints.shop.id],
  );
  expect(jobs).toHaveLength(1);
});
