import { once } from 'node:events';
import { join } from 'node:path';
import { findFreePorts } from '../sandbox/find-free-ports.ts';
import { killProcess } from '../test/chaos/stage/child-process.ts';
import { say } from '../test/chaos/say.ts';
import { percentile } from './percentile.ts';
import type { CommitArguments } from './processes/commit-rows.ts';
import type { Load, LoadArguments } from './processes/generate-load.ts';
import type { PeerArguments } from './processes/peer.ts';
import { openShops } from './shops.ts';
import { APP, openStage, runProcess, spawnMeasured, type Stage } from './stage.ts';

/** The results of one server. */
interface Side {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  refused: number;
}

/** The webhook intake of Platen as shipped, compared with other servers. */
interface Intake {
  requests: number;
  bare: Side;
  koa: Side;
  express: Side;
  platen: Side;
  /** How many single rows PostgreSQL commits per second. */
  commitsPerSecond: number;
  ratios: { platenToBare: number; platenToKoa: number; platenToExpress: number; platenToCommitRate: number };
  p99Ms: number;
}

const PEERS = ['bare', 'koa', 'express'] as const;
const REQUESTS = 12_000;
const SHOPS = 4;
const CONNECTIONS = 50;
/**
 * The number of measurements of each server. The result is their median. The servers take turns, so that other work on the machine affects
 * all of them equally.
 */
const ROUNDS = 3;
const MAX_START_MS = 60_000;
const WARM_UP_SHARE = 0.1;

/** Measures all servers in turn on a separate stage. */
export async function measureIntake(requests = REQUESTS): Promise<Intake> {
  const stage = await openStage({ advanceSeconds: null });
  await using peers = new AsyncDisposableStack();
  try {
    await createTables(stage);
    const shops = await openIntake(stage);
    const urls = { ...(await startPeers(stage, peers)), platen: stage.appUrl };
    const sides = Object.keys(urls) as (keyof typeof urls)[];
    const loads = new Map<string, Load[]>(sides.map((side) => [side, []]));
    const seconds: number[] = [];
    const inRound = Math.max(CONNECTIONS, Math.ceil(requests / ROUNDS));
    for (const side of sides) await sendWebhooks(stage, urls[side], shops, Math.ceil(inRound * WARM_UP_SHARE));
    for (let round = 1; round <= ROUNDS; round += 1) {
      for (const side of sides) loads.get(side)?.push(await sendWebhooks(stage, urls[side], shops, inRound));
      seconds.push(await commitRows(stage, inRound));
      say(`intake: round ${round} of ${ROUNDS}`);
    }
    const toSideOf = (side: string): Side => toSide(loads.get(side) ?? []);
    const [bare, koa, express, platen] = [toSideOf('bare'), toSideOf('koa'), toSideOf('express'), toSideOf('platen')];
    const commitsPerSecond = inRound / percentile(seconds, 0.5);
    return {
      requests: inRound * ROUNDS,
      bare,
      koa,
      express,
      platen,
      commitsPerSecond,
      ratios: {
        platenToBare: platen.perSecond / bare.perSecond,
        platenToKoa: platen.perSecond / koa.perSecond,
        platenToExpress: platen.perSecond / express.perSecond,
        platenToCommitRate: platen.perSecond / commitsPerSecond,
      },
      p99Ms: platen.p99Ms,
    };
  } finally {
    await peers.disposeAsync();
    await stage.close();
  }
}

/** Installs shops and starts Platen's endpoints. Returns the domains of the shops. */
async function openIntake(stage: Stage): Promise<string[]> {
  const shops = await stage.withApp((app) => openShops(stage, app, 'intake', SHOPS));
  await stage.startApp('web');
  return shops.map(({ domain }) => domain);
}

/** Sends webhooks of changed orders to one server. Rejects if a response has a status other than 200 or 503. */
export async function sendWebhooks(
  stage: Stage,
  url: string,
  shops: readonly string[],
  requests: number,
): Promise<Load> {
  const { apiSecret } = APP;
  const given = { url, path: '/webhooks/shopify', apiSecret, shops, requests, connections: CONNECTIONS };
  return runProcess('bench/processes/generate-load.ts', given satisfies LoadArguments, join(stage.home, 'load.log'));
}

async function createTables(stage: Stage): Promise<void> {
  await stage.query(
    'create table bench_webhooks (webhook_id text primary key, shop text not null, topic text not null, order_id bigint not null, received_at timestamptz not null default now())',
  );
  await stage.query('create table bench_rows (id bigint generated always as identity primary key, body text not null)');
}

async function startPeers(stage: Stage, peers: AsyncDisposableStack): Promise<Record<(typeof PEERS)[number], string>> {
  const urls = { bare: '', koa: '', express: '' };
  for (const kind of PEERS) {
    const [port = 0] = await findFreePorts(1);
    const given: PeerArguments = { kind, port, databaseUrl: stage.databaseUrl, ...APP };
    const logFile = join(stage.home, `${kind}.log`);
    const child = spawnMeasured('bench/processes/peer.ts', [JSON.stringify(given)], {}, logFile);
    peers.defer(() => killProcess(child));
    urls[kind] = `http://127.0.0.1:${port}`;
    await once(child, 'message', { signal: AbortSignal.timeout(MAX_START_MS) });
  }
  return urls;
}

async function commitRows(stage: Stage, rows: number): Promise<number> {
  const given: CommitArguments = { databaseUrl: stage.databaseUrl, rows };
  return runProcess('bench/processes/commit-rows.ts', given, join(stage.home, 'commits.log'));
}

function toSide(loads: readonly Load[]): Side {
  const taken = loads.flatMap(({ takenMs }) => takenMs);
  return {
    perSecond: percentile(loads.map(toPerSecond), 0.5),
    p50Ms: percentile(taken, 0.5),
    p99Ms: percentile(taken, 0.99),
    refused: loads.reduce((sum, { refused }) => sum + refused, 0),
  };
}

/** Returns the number of webhooks accepted per second. */
export function toPerSecond({ takenMs, seconds }: Load): number {
  return takenMs.length / seconds;
}
