import diagnostics from 'node:diagnostics_channel';
import { setImmediate as turn, setTimeout as realSleep } from 'node:timers/promises';
import pg from 'pg';
import { vi } from 'vitest';
import { createClock, type Clock } from '../../src/clock.ts';

/**
 * A clock whose time passes only while a test waits for something and nothing else can happen: no query, request or file operation of this
 * process is pending. Time then jumps to the next timer. The database's time follows (see clocked-database.ts).
 */
export interface VirtualClock extends Clock {
  /** Lets everything happen that can happen without time passing. */
  settle(): Promise<void>;
  /** Lets everything happen that happens within this time. */
  pass(milliseconds: number): Promise<void>;
  /** Jumps to the next timer within this time. Returns false if no timer is due by then. Call it after `settle`. */
  jump(milliseconds: number): Promise<boolean>;
  /** Settles with this work. Time passes while the work waits for it. */
  during<Result>(work: Promise<Result>): Promise<Result>;
  /**
   * Whether the tests that run now use this clock. Then `Date` also has its time, for libraries and for the tests themselves, and time also
   * passes while a test awaits the app's work without this clock. At first, no test uses it.
   */
  use(isUsed: boolean): void;
  /** Gives another database this clock's time, until the returned function is called. */
  follow(databaseUrl: string): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

/** Rounds without any activity after which nothing more happens at this time. */
const QUIET_ROUNDS = 3;
/** After this time, a pending query may be waiting for a lock. */
const LOCK_MS = 20;
/** The longest time that passes while the process waits for one piece of work. */
const MAX_WORK_MS = 30 * 86_400_000;
/** After this time without any activity, a test is awaiting work that waits for the clock. */
const IDLE_MS = 50;
/** After this time, whatever still happens repeats without end, because time does not pass in between. */
const MAX_SETTLE_MS = 120_000;
/** How many times longer that is while a file operation or a child process, whose progress is not seen, is pending. */
const UNSEEN_FACTOR = 40;
/** The longest time that passes at once for such work. */
const MAX_IDLE_JUMP_MS = 600_000;
/** One-time operations of Node.js. Sockets, servers and timers are not listed, because they stay open. */
const OPERATIONS = /^(FSReq|GetAddrInfo|GetNameInfo|TCPConnect|PipeConnect|Process|Write|Shutdown|Close)/;

const isOperating = (): boolean => process.getActiveResourcesInfo().some((name) => OPERATIONS.test(name));

interface Timer {
  at: number;
  run: () => void;
}

/** Opens a clock for stand-ins, clients and, with `databaseUrl`, an app with this database. Its time begins at the machine's time. */
export async function openVirtualClock(
  databaseUrl: string | null,
  { maxSettleMs = MAX_SETTLE_MS } = {},
): Promise<VirtualClock> {
  watchActivity();
  const start = Date.now();
  const timers = new Set<Timer>();
  const clients = new Set<pg.Client>();
  let ticks = 0;
  let isUsed = false;

  async function setTime(): Promise<void> {
    if (isUsed) vi.setSystemTime(start + ticks);
    await Promise.all([...clients].map(showTime));
  }

  async function showTime(client: pg.Client): Promise<void> {
    await untracked(() => client.query(`update clock.instant set at = to_timestamp($1)`, [(start + ticks) / 1000]));
  }

  async function follow(url: string): Promise<() => Promise<void>> {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => undefined);
    await client.connect();
    await showTime(client);
    clients.add(client);
    return async () => {
      clients.delete(client);
      await client.end();
    };
  }

  const clock = createClock({
    now: () => new Date(start + ticks),
    ticks: () => ticks,
    start(milliseconds, run) {
      const timer = { at: ticks + Math.max(0, Math.ceil(milliseconds)), run };
      timers.add(timer);
      activity.changes += 1;
      return () => timers.delete(timer);
    },
  });

  async function countBlocked(client: pg.Client): Promise<number> {
    const { rows } = await untracked(() =>
      client.query<{ blocked: number }>(
        `select count(*)::int as blocked from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
      ),
    );
    return rows[0]?.blocked ?? 0;
  }

  /** Whether every pending query of this process waits for a lock. Its holder may wait for a timer. */
  async function areBlocked(): Promise<boolean> {
    if (clients.size === 0) return false;
    const counts = await Promise.all([...clients].map(countBlocked));
    return counts.reduce((sum, count) => sum + count) >= activity.queries;
  }

  const settleAll = (): Promise<void> => settle(areBlocked, maxSettleMs);

  function nextTimer(): Timer | null {
    let next: Timer | null = null;
    for (const timer of timers) if (next === null || timer.at < next.at) next = timer;
    return next;
  }

  async function jump(milliseconds: number): Promise<boolean> {
    const next = nextTimer();
    if (next === null || next.at > ticks + milliseconds) return false;
    if (next.at > ticks) {
      ticks = next.at;
      await setTime();
    }
    const due = [...timers].filter(({ at }) => at <= ticks);
    for (const timer of due) if (timers.delete(timer)) timer.run();
    return true;
  }

  async function pass(milliseconds: number): Promise<void> {
    const end = ticks + milliseconds;
    await settleAll();
    while (await jump(end - ticks)) await settleAll();
    if (end === ticks) return;
    ticks = end;
    await setTime();
  }

  async function during<Result>(work: Promise<Result>): Promise<Result> {
    let isOver = false;
    const over = work.finally(() => (isOver = true));
    over.catch(() => undefined);
    for (const end = ticks + MAX_WORK_MS; ;) {
      await settleAll();
      if (isOver) return over;
      if (!(await jump(end - ticks))) throw new Error('The work waits for something that can never happen.');
    }
  }

  /** How many calls of this clock are under way. */
  let calls = 0;

  async function count<Result>(work: Promise<Result>): Promise<Result> {
    calls += 1;
    return work.finally(() => (calls -= 1));
  }

  let idle: NodeJS.Timeout | undefined;
  let idleWork: Promise<unknown> = Promise.resolve();
  let seen = -1;
  let idleTimes = 0;

  function passIfIdle(): void {
    idleTimes = calls === 0 && activity.changes === seen ? idleTimes + 1 : 0;
    seen = activity.changes;
    if (idleTimes < (isOperating() ? UNSEEN_FACTOR : 1)) return;
    idleTimes = 0;
    idleWork = count(settleAll().then(() => jump(MAX_IDLE_JUMP_MS)));
  }

  if (databaseUrl !== null) await follow(databaseUrl);
  return {
    ...clock,
    follow,
    settle: () => count(settleAll()),
    pass: (milliseconds) => count(pass(milliseconds)),
    jump: (milliseconds) => count(jump(milliseconds)),
    during: (work) => count(during(work)),
    use(isOn) {
      isUsed = isOn;
      clearInterval(idle);
      if (!isOn) {
        vi.useRealTimers();
        return;
      }
      vi.setSystemTime(start + ticks);
      idle = setInterval(passIfIdle, IDLE_MS).unref();
    },
    async close() {
      clearInterval(idle);
      await idleWork;
      timers.clear();
      await Promise.all([...clients].map((client) => client.end()));
    },
  };
}

/** What this process is doing. `changes` counts everything that begins or ends. */
const activity = { changes: 0, queries: 0, requests: 0, done: Promise.withResolvers<void>() };
const listeners = new Set<pg.Client>();
let isWatching = false;

/** Waits until nothing of this process is pending, except what waits for a timer. */
async function settle(areBlocked: () => Promise<boolean>, maxSettleMs: number): Promise<void> {
  const end = performance.now() + maxSettleMs;
  for (;;) {
    await untilQuiet(areBlocked, end);
    const before = activity.changes;
    // A server sends the notices of a commit before its response to a later query of the listening session.
    await Promise.all(
      [...listeners].map((listener) => untracked(() => listener.query('select 1')).catch(() => undefined)),
    );
    await turn();
    if (activity.changes === before) return;
  }
}

async function untilQuiet(areBlocked: () => Promise<boolean>, end: number): Promise<void> {
  let seen = -1;
  for (let rounds = 0; rounds < QUIET_ROUNDS;) {
    if (performance.now() > end) throw new Error('Something repeats without end while no time passes.');
    if (activity.queries > 0) {
      const before = activity.changes;
      await Promise.race([activity.done.promise, realSleep(LOCK_MS)]);
      // Only queries that neither end nor begin can be waiting for a lock.
      if (activity.queries > 0 && (activity.changes !== before || !(await areBlocked()))) continue;
    }
    if (isOperating()) await realSleep(1);
    // A request without activity is waiting for a timer of its receiver or of its sender.
    else if (activity.requests > 0) await realSleep(1);
    else await turn();
    await turn();
    rounds = activity.changes === seen ? rounds + 1 : 0;
    seen = activity.changes;
  }
}

let isUntracked = false;

function untracked<Result>(query: () => Result): Result {
  isUntracked = true;
  try {
    return query();
  } finally {
    isUntracked = false;
  }
}

function begin(): () => void {
  activity.changes += 1;
  activity.queries += 1;
  let isOver = false;
  return () => {
    if (isOver) return;
    isOver = true;
    activity.changes += 1;
    activity.queries -= 1;
    if (activity.queries > 0) return;
    activity.done.resolve();
    activity.done = Promise.withResolvers();
  };
}

type Callback = (...results: unknown[]) => void;

/** Watches the queries and requests of this process. */
function watchActivity(): void {
  if (isWatching) return;
  isWatching = true;
  for (const name of ['query', 'connect', 'end'] as const) {
    const prototype = pg.Client.prototype as unknown as Record<string, (...given: unknown[]) => unknown>;
    const original = prototype[name] as (...given: unknown[]) => unknown;
    prototype[name] = function watched(this: pg.Client, ...given: unknown[]): unknown {
      if (isUntracked) return original.apply(this, given);
      if (name === 'query' && typeof given[0] === 'string' && given[0].startsWith('listen ')) listeners.add(this);
      if (name === 'end') listeners.delete(this);
      const end = begin();
      const last = given.at(-1);
      if (typeof last === 'function') {
        given[given.length - 1] = (...results: unknown[]) => {
          end();
          (last as Callback)(...results);
        };
        return original.apply(this, given);
      }
      const result = original.apply(this, given);
      if (result instanceof Promise) void result.then(end, end);
      else end();
      return result;
    };
  }
  const change = (by: number) => (): void => {
    activity.changes += 1;
    activity.requests += by;
  };
  diagnostics.subscribe('undici:request:create', change(1));
  diagnostics.subscribe('undici:request:trailers', change(-1));
  diagnostics.subscribe('undici:request:error', change(-1));
  for (const name of [
    'undici:request:headers',
    'undici:request:bodySent',
    'http.server.request.start',
    'http.server.response.finish',
  ])
    diagnostics.subscribe(name, change(0));
}
