import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { startPlaten, type Platen } from '../helpers/platen.ts';
import { startDatabaseProxy, type DatabaseMoment, type Verdict } from './database-proxy.ts';
import { startServiceProxy, type ServiceMoment } from './service-proxy.ts';
import { startAppProcess, type AppProcess } from './worker.ts';

export type Moment = DatabaseMoment | ServiceMoment;

/** A point at which a process is disturbed. The point is recognized by the process's traffic with the database or the print service. */
export interface Point {
  isHere(moment: Moment): boolean;
  /** `cut` closes only the connection. `kill` kills the process, and `freeze` suspends it. */
  how: 'kill' | 'cut' | 'freeze';
}

/** The send deadline is as short as a slow machine allows. The quiet time must be longer, and tests wait for it. */
const TIMES = { PRINT_TIMEOUT_SECONDS: '3', SUBMIT_DEADLINE_SECONDS: '5', SUBMIT_QUIET_SECONDS: '8' };

export interface CrashLab {
  platen: Platen;
  /** Requests that have reached the print service, with their bodies. */
  calls: { call: string; body: string }[];
  /** Starts a worker unless one is already running. */
  work(): AppProcess;
  /** Disturbs the worker the next time it reaches the point, and resolves once the disturbance has happened. */
  at(point: Point): Promise<void>;
  startProcess(environment: Record<string, string>): AppProcess;
  close(): Promise<void>;
}

/**
 * Runs Platen in several processes. This process serves the endpoints. Workers run in separate processes, and their traffic passes through
 * proxies in this process.
 */
export async function openCrashLab(settings: Record<string, unknown>): Promise<CrashLab> {
  await using opened = new AsyncDisposableStack();
  const encryptionKey = randomBytes(32).toString('base64');
  const environment = { ...TIMES, ROLE: 'web', ENCRYPTION_KEY: encryptionKey };
  const platen = await startPlaten({ time: 'real', advanceSeconds: null, environment, settings });
  opened.defer(() => platen.stop());
  const calls: CrashLab['calls'] = [];
  const processes: AppProcess[] = [];
  let armed: { point: Point; reached: () => void } | null = null;

  const watch = (moment: Moment): Verdict => {
    if (moment.side === 'service' && moment.when === 'request') calls.push({ call: moment.call, body: moment.body });
    if (!armed?.point.isHere(moment)) return 'go';
    const { point, reached } = armed;
    armed = null;
    reached();
    if (point.how === 'cut') return 'cut';
    processes.at(-1)?.child.kill(point.how === 'kill' ? 'SIGKILL' : 'SIGSTOP');
    return point.how === 'kill' ? 'stop' : 'go';
  };

  const url = String((platen.app.db.options as { url?: string }).url);
  const database = await startDatabaseProxy(url, watch);
  opened.defer(() => database.close());
  const service = await startServiceProxy(platen.printUrl, watch);
  opened.defer(() => service.close());
  opened.defer(async () => {
    for (const one of processes) await one.end();
  });

  const startProcess: CrashLab['startProcess'] = (more) => {
    const one = startAppProcess({
      ...TIMES,
      ENCRYPTION_KEY: encryptionKey,
      DATABASE_URL: database.url,
      SHOPIFY_API_KEY: platen.app.config.shopify.apiKey,
      SHOPIFY_API_SECRET: platen.app.config.shopify.apiSecret,
      SHOPIFY_APP_URL: platen.url,
      SHOPIFY_ADMIN_ORIGIN: `${platen.storeUrl}/{shop}`,
      PRINT_ORDER_URL: service.url,
      ...more,
    });
    processes.push(one);
    return one;
  };
  const kept = opened.move();
  return {
    platen,
    calls,
    startProcess,
    work() {
      const last = processes.at(-1);
      return last?.isAlive() ? last : startProcess({ ROLE: 'worker', POLL_SECONDS: '1' });
    },
    async at(point) {
      const reached = Promise.withResolvers<void>();
      armed = { point, reached: reached.resolve };
      await expect
        .poll(() => (armed === null ? 'reached' : (processes.at(-1)?.output() ?? '')), {
          timeout: 60_000,
          interval: 20,
        })
        .toBe('reached');
      await reached.promise;
      if (point.how === 'kill') await expect.poll(() => processes.at(-1)?.isAlive(), { interval: 20 }).toBe(false);
    },
    close: () => kept.disposeAsync(),
  };
}

/** Matches the commit of a statement that matches `statement`: the statement itself or, within a transaction, the COMMIT. */
export function commitOf(statement: RegExp, when: DatabaseMoment['when']): Point['isHere'] {
  return (moment) =>
    moment.side === 'database' &&
    moment.when === when &&
    (moment.text === moment.transaction || /^commit/i.test(moment.text)) &&
    statement.test(moment.transaction);
}

/** Matches a step of a request to the print service. */
export function callOf(call: string, when: ServiceMoment['when']): Point['isHere'] {
  return (moment) => moment.side === 'service' && moment.when === when && moment.call.startsWith(call);
}

/** Matches `isHere`, but only after `first` has matched. */
export function afterwards(first: Point['isHere'], isHere: Point['isHere']): Point['isHere'] {
  let hasBeen = false;
  return (moment) => {
    if (hasBeen && isHere(moment)) return true;
    hasBeen ||= first(moment);
    return false;
  };
}
