import { setTimeout as realSleep } from 'node:timers/promises';
import pg from 'pg';
import type { Scheduler } from './scheduler.ts';
import { currentPlace, rememberPlace, runAt, type Place } from './place.ts';
import { openSessions, pidOf, readState } from './sessions.ts';
import { countRows, LIMITS, NOTIFIES, OWN, toPrepared, toTraced, WAITS, WHOSE } from './statements.ts';

/** What may go wrong with a query. */
export type QueryFault = 'none' | 'lost-before' | 'lost-after';

/** The connections of a simulation to its database. */
export interface Database {
  /** Closes a place's connections, as the death of its process does, and waits until the server has freed their locks. */
  disconnect: (place: Place) => Promise<void>;
  /** Ends a place's connections at the server, as its keepalive does if the place does not respond. */
  cutOff: (place: Place) => Promise<void>;
  /** Ends all connections, as a restart of the server does, and does this work before new ones open. */
  restart: (work: () => Promise<void>) => Promise<void>;
  /** Ends the connections of all processes and refuses new ones until `open`. */
  shut: () => Promise<void>;
  open: () => void;
  close: () => Promise<void>;
}

interface DatabaseOptions {
  url: string;
  /** Open sessions that no client uses. */
  free: pg.Client[];
  /** Makes the database's time equal to the clock's time. */
  showTime: () => void;
  scheduler: Scheduler;
  /** Chooses what goes wrong with a query. */
  drawFault: (place: Place, text: string) => QueryFault;
  /** Returns whether a query's answer arrives in the same step. If not, other events may happen first. */
  arrivesAtOnce: () => boolean;
}

type Method = (this: pg.Client, ...given: unknown[]) => unknown;
type Callback = (error: unknown, result?: unknown) => void;

interface Query {
  client: pg.Client;
  place: Place;
  text: string;
  /** A short name in the trace. */
  label: string;
  /** The statement and its values. */
  words: string;
  send: () => Promise<unknown>;
  deliver: (outcome: Outcome) => void;
  outcome: Promise<Outcome> | null;
}

type Outcome = { error: unknown } | { result: unknown };

/** After this time, a query may be waiting for a lock. */
const LOCK_MS = 5;
const TERMINATED = 'Connection terminated unexpectedly';
const REFUSED = 'connect ECONNREFUSED';
const LOCK_LIMIT_MS = 10_000;
/** How often the simulator looks, a millisecond apart, whether the server has ended a connection. */
const MAX_END_TRIES = 20_000;

const original = {
  query: pg.Client.prototype.query as unknown as Method,
  connect: pg.Client.prototype.connect as unknown as Method,
  end: pg.Client.prototype.end as unknown as Method,
};
const prototype = pg.Client.prototype as unknown as Record<string, Method>;
let database: Connections | null = null;

interface Connections {
  query: (client: pg.Client, place: Place, given: unknown[]) => unknown;
  connect: (client: pg.Client, place: Place, given: unknown[]) => unknown;
  end: (client: pg.Client, place: Place, given: unknown[]) => unknown;
  notify: (client: pg.Client, notice: pg.Notification) => void;
}

for (const name of ['query', 'connect', 'end'] as const) {
  prototype[name] = function simulated(this: pg.Client, ...given: unknown[]): unknown {
    const place = currentPlace();
    if (database === null || place === undefined) return original[name].apply(this, given);
    return database[name](this, place, given);
  };
}
// To close idle connections and to open them again would only add steps.
const connectPool = pg.Pool.prototype.connect as unknown as Method;
(pg.Pool.prototype as unknown as Record<string, unknown>)['connect'] = function simulated(
  this: pg.Pool,
  ...given: unknown[]
) {
  if (database !== null && currentPlace() !== undefined) this.options.idleTimeoutMillis = 0;
  return connectPool.apply(this as never, given);
};
const emitNotice = prototype['_handleNotification'] as Method;
prototype['_handleNotification'] = function simulated(this: pg.Client, notice: unknown): void {
  if (database === null) emitNotice.call(this, notice);
  else database.notify(this, notice as pg.Notification);
};

/** Sends every query of this process through the scheduler until `close`. */
export async function openSimulatedDatabase(options: DatabaseOptions): Promise<Database> {
  const { url, free, scheduler, showTime, drawFault, arrivesAtOnce } = options;
  const connect = async (): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString: url, application_name: 'simulator' });
    client.on('error', () => undefined);
    await (original.connect.call(client) as Promise<unknown>);
    return client;
  };
  /** The simulator's own connection. While the server restarts, its queries wait. */
  let admin = Promise.resolve(await connect());
  const sessions = openSessions(
    free,
    connect,
    (session, text) => original.query.call(session, text) as Promise<unknown>,
  );
  const lost = new Set<pg.Client>();
  const asked = new Set<Promise<unknown>>();
  const places = new Map<pg.Client, Place>();
  const queues = new Map<pg.Client, Query[]>();
  const listeners = new Set<pg.Client>();
  const notices = new Map<pg.Client, pg.Notification[]>();
  const blocked = new Set<Query>();
  /** The connections whose transaction may send notices when it commits. */
  const notifying = new Set<pg.Client>();
  let mayHaveNotices = false;
  let isShut = false;
  let nth = 0;
  /** The judge's last query. Its queries run one after another, so that their order does not depend on the server. */
  let judging: Promise<void> = Promise.resolve();

  async function ask<Row extends pg.QueryResultRow>(text: string, values: unknown[]): Promise<Row[]> {
    const answer = original.query.call(await admin, text, values) as Promise<pg.QueryResult<Row>>;
    asked.add(answer);
    try {
      return (await answer).rows;
    } finally {
      asked.delete(answer);
    }
  }

  /** Waits for the answer. Returns null if the query waits for a lock whose holder does nothing at the moment. */
  async function untilAnswered(query: Query): Promise<Outcome | null> {
    for (;;) {
      const outcome = await Promise.race([query.outcome, realSleep(LOCK_MS, null)]);
      if (outcome !== null) return outcome;
      if (await isBlocked(query)) return null;
    }
  }

  /** The server's own search for deadlocks depends on the machine's time, so the simulation ends a deadlock in its place. */
  async function isBlocked({ client, outcome }: Query): Promise<boolean> {
    const session = sessions.of(client);
    // The session may not be open yet.
    if (!session) return false;
    const [waits] = await ask<{ circles: boolean; moves: boolean }>(WAITS, [pidOf(session)]);
    if (!waits) return false;
    if (waits.circles) await cancelAt(session, outcome, '40P01');
    return !waits.circles && !waits.moves;
  }

  async function cancelAt(session: pg.Client, outcome: Query['outcome'], code: string): Promise<void> {
    await ask('select pg_cancel_backend($1)', [pidOf(session)]);
    const ended = await outcome;
    if (ended !== null && 'error' in ended) Object.assign(ended.error as object, { code });
  }

  async function run(query: Query): Promise<void> {
    const { place, client, text } = query;
    showTime();
    const fault = place.isJudge ? 'none' : drawFault(place, text);
    if (fault === 'lost-before') return lose(query);
    query.outcome ??= query.send().then(
      (result) => ({ result }),
      (error: unknown) => ({ error }),
    );
    const outcome = await untilAnswered(query);
    if (outcome === null) {
      scheduler.record(`${place.name} is blocked`);
      blocked.add(query);
      scheduler.startTimer(LOCK_LIMIT_MS, () => void scheduler.await(cancel(query)), place);
      return;
    }
    const freed = await afterQuery(query);
    if (text.startsWith('listen ')) listeners.add(client);
    if (fault === 'lost-after' && 'result' in outcome) await lose(query);
    else finish(query, outcome);
    freed.forEach((one) => finish(...one));
  }

  /** Ends a query that has waited for a lock for too long. The server's own limits use the machine's time. */
  async function cancel(query: Query): Promise<void> {
    const session = sessions.of(query.client);
    if (!blocked.delete(query) || !session) return;
    await cancelAt(session, query.outcome, '55P03');
    const outcome = await query.outcome;
    const freed = await afterQuery(query);
    if (outcome !== null) finish(query, outcome);
    freed.forEach((one) => finish(...one));
  }

  /** Breaks the connection of a query, so that nobody learns its result. */
  async function lose(query: Query): Promise<void> {
    const { client, place } = query;
    scheduler.record(`${place.name} loses a connection`);
    finish(query, { error: new Error(TERMINATED) });
    await breakOff([client]);
  }

  /** Ends connections. The code that uses them learns it before the server frees their locks, so that the order is always the same. */
  async function breakOff(clients: readonly pg.Client[]): Promise<void> {
    const detached = sessions.detach(clients);
    clients.forEach(breakConnection);
    await scheduler.settle();
    await terminate(await sessions.end(detached));
    (await freeBlocked()).forEach((one) => finish(...one));
  }

  function forget(client: pg.Client): void {
    lost.add(client);
    listeners.delete(client);
  }

  /** The code that uses the connection learns what it would learn from a closed socket. */
  function breakConnection(client: pg.Client): void {
    forget(client);
    Object.assign(client, { _queryable: false, _ended: true });
    const place = places.get(client);
    if (!place?.isAlive) return;
    runAt(place, () => {
      client.emit('error', new Error(TERMINATED));
      client.emit('end');
    });
  }

  async function terminate(pids: number[]): Promise<void> {
    if (pids.length === 0) return;
    await ask('select pg_terminate_backend(pid) from unnest($1::int[]) as pid', [pids]);
    for (let tries = 0; tries < MAX_END_TRIES; tries += 1) {
      if ((await ask('select from pg_stat_activity where pid = any($1)', [pids])).length === 0) return;
      await realSleep(1);
    }
    throw new Error('The server does not end a connection.');
  }

  function finish(query: Query, outcome: Outcome): void {
    const { client, place, label } = query;
    const queue = queues.get(client);
    queue?.shift();
    const next = queue?.[0];
    if (next) holdQuery(next);
    const isOwn = OWN.test(query.text);
    const words = 'error' in outcome ? `fails ${String((outcome.error as Error).message)}` : countRows(outcome.result);
    const deliver = (): void => {
      scheduler.record(`${label} ${words}`);
      query.deliver(outcome);
    };
    const isSuspended = place.suspendedUntil > scheduler.clock.ticks();
    if (!isSuspended && (place.isJudge || isOwn || arrivesAtOnce())) deliver();
    else scheduler.hold({ place, label: '', go: deliver });
  }

  function isConnected(client: pg.Client): boolean {
    return !lost.has(client) && places.get(client)?.clients.has(client) === true;
  }

  function isInTransaction(client: pg.Client): boolean {
    const session = sessions.of(client);
    return session !== undefined && readState(session) === 'T';
  }

  /** Handles what a query has caused elsewhere: it may have sent notices and freed locks. Returns the queries that this has ended. */
  async function afterQuery({ client, text }: Query): Promise<[Query, Outcome][]> {
    const mayContinue = isInTransaction(client);
    sessions.release(client, text);
    if (OWN.test(text)) return [];
    if (NOTIFIES.test(text)) notifying.add(client);
    if (mayContinue) return [];
    if (notifying.delete(client)) mayHaveNotices = true;
    return freeBlocked();
  }

  /** Lets the notices of the last commits arrive. They may be late, but they come before time passes. */
  async function receiveNotices(): Promise<void> {
    if (!mayHaveNotices) return;
    // A session that waits for a lock gets its notices later.
    const waiting = new Set([...blocked].map(({ client }) => client));
    mayHaveNotices = [...listeners].some((one) => waiting.has(one));
    // A server sends the notices of a commit before its response to a later query of the listening session.
    const arriving = [...listeners]
      .filter((one) => !waiting.has(one))
      .map((one) => original.query.call(sessions.of(one)!, 'select 1') as Promise<unknown>);
    await Promise.allSettled(arriving);
    for (const listener of listeners) {
      const place = places.get(listener);
      for (const notice of notices.get(listener) ?? [])
        if (place)
          scheduler.hold({ place, label: `${place.name} notice`, go: () => void emitNotice.call(listener, notice) });
    }
    notices.clear();
  }

  /** Waits for the queries that no longer wait for a lock, and for those that these queries free in turn. */
  async function freeBlocked(): Promise<[Query, Outcome][]> {
    const freed: [Query, Outcome][] = [];
    for (let before = -1; before < freed.length;) {
      before = freed.length;
      for (const query of blocked) {
        if (await isBlocked(query)) continue;
        const outcome = await untilAnswered(query);
        if (outcome === null) continue;
        blocked.delete(query);
        freed.push([query, outcome]);
        if (NOTIFIES.test(query.text)) notifying.add(query.client);
        if (!isInTransaction(query.client) && notifying.delete(query.client)) mayHaveNotices = true;
        sessions.release(query.client, query.text);
      }
    }
    return freed;
  }

  function holdQuery(query: Query): void {
    const { place, text, label, words } = query;
    if (place.isJudge) void scheduler.await((judging = judging.then(() => run(query))));
    else scheduler.hold({ place, label: `${label} ${words}`, isFirst: OWN.test(text), go: () => run(query) });
  }

  scheduler.beforeTimePasses(receiveNotices);

  database = {
    query(client, place, given) {
      const [first, values] = given;
      if (!place.isAlive) return typeof given.at(-1) === 'function' ? undefined : new Promise(() => undefined);
      if (typeof first === 'object' && first !== null && 'submit' in first) return original.query.apply(client, given);
      const callback = typeof given.at(-1) === 'function' ? (given.pop() as Callback) : null;
      const inPlace = rememberPlace();
      const { text, values: own } =
        typeof first === 'string' ? { text: first, values } : (first as { text: string; values?: unknown });
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      const query: Query = {
        client,
        place,
        text,
        label: `${place.name} query ${nth++}`,
        words: `${text.slice(0, 400)} ${JSON.stringify(toTraced(text, (own ?? values ?? []) as unknown[]))}`,
        send: async () => {
          if (lost.has(client)) throw new Error(TERMINATED);
          if (LIMITS.test(text)) return { rows: [] };
          if (text === WHOSE) return { rows: [{ session: pidOf(client) }], rowCount: 1 };
          return original.query.call(await sessions.take(client), toPrepared(first, values));
        },
        deliver: (outcome) =>
          inPlace(() => {
            if ('error' in outcome) return callback ? callback(outcome.error) : reject(outcome.error);
            return callback ? callback(null, outcome.result) : resolve(outcome.result);
          }),
        outcome: null,
      };
      const queue = queues.get(client) ?? [];
      queues.set(client, queue);
      queue.push(query);
      if (queue.length === 1) holdQuery(query);
      return callback ? undefined : promise;
    },
    connect(client, place, [callback]) {
      const inPlace = rememberPlace();
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      const done = (callback as Callback | undefined) ?? ((error) => (error ? reject(error) : resolve(client)));
      const open = async (): Promise<void> => {
        if (isShut && !place.isJudge)
          return inPlace(() => done(Object.assign(new Error(REFUSED), { code: 'ECONNREFUSED' })));
        place.clients.add(client);
        places.set(client, place);
        Object.assign(client, { processID: places.size, ref: () => undefined, unref: () => undefined });
        inPlace(() => done(null, client));
      };
      if (place.isJudge) void scheduler.await(open());
      else scheduler.hold({ place, label: `${place.name} connects`, isFirst: true, go: open });
      return callback ? undefined : promise;
    },
    end(client, place, [callback]) {
      const inPlace = rememberPlace();
      const { promise, resolve } = Promise.withResolvers<void>();
      const done = (): void => inPlace(() => (callback ? (callback as () => void)() : resolve()));
      const end = async (): Promise<void> => {
        place.clients.delete(client);
        Object.assign(client, { _ending: true, _ended: true });
        await terminate(await sessions.end(sessions.detach([client])));
        forget(client);
        client.emit('end');
        done();
        (await freeBlocked()).forEach((one) => finish(...one));
      };
      if (place.isJudge) void scheduler.await(end());
      else scheduler.hold({ place, label: `${place.name} disconnects`, isFirst: true, go: end });
      return callback ? undefined : promise;
    },
    notify(session, notice) {
      const client = sessions.ownerOf(session);
      if (client) notices.set(client, [...(notices.get(client) ?? []), notice]);
    },
  };

  return {
    async disconnect(place) {
      const clients = [...place.clients];
      for (const query of blocked) if (query.place === place) blocked.delete(query);
      place.clients.clear();
      await breakOff(clients);
    },
    async cutOff(place) {
      const clients = [...place.clients];
      const detached = sessions.detach(clients);
      clients.forEach(forget);
      const go = (): void => clients.forEach(breakConnection);
      scheduler.hold({ place, label: `${place.name} learns that its connections have ended`, isFirst: true, go });
      await terminate(await sessions.end(detached));
      (await freeBlocked()).forEach((one) => finish(...one));
    },
    async restart(work) {
      const all = [...places.keys()].filter((client) => isConnected(client));
      notices.clear();
      const pids = sessions.closeAll();
      all.forEach(breakConnection);
      await scheduler.settle();
      await terminate(pids);
      const { promise, resolve } = Promise.withResolvers<pg.Client>();
      const last = await admin;
      admin = promise;
      await Promise.allSettled(asked);
      await (original.end.call(last) as Promise<void>);
      await work();
      resolve(await connect());
      // Whatever was running has failed.
      for (const query of blocked) {
        blocked.delete(query);
        finish(query, { error: new Error(TERMINATED) });
      }
    },
    async shut() {
      isShut = true;
      await breakOff([...places].flatMap(([client, { isJudge }]) => (isConnected(client) && !isJudge ? [client] : [])));
    },
    open() {
      isShut = false;
    },
    async close() {
      database = null;
      await terminate(await sessions.end(sessions.detach([...places.keys()])));
      await (original.end.call(await admin) as Promise<void>);
    },
  };
}
