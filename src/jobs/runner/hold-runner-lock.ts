import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '../../log.ts';
import { releaseDeadWorkers } from './release-dead-workers.ts';
import { UNLOCK } from './take-jobs.ts';

const PASS_MS = 5_000;
const RECONNECT_MS = 200;

/** Says to all runners that this one lives, for as long as its session with the database does. */
export interface RunnerLock {
  /** Resolves with true once the lock is held with this worker on record under it, with false when it was given up. */
  covers(workerId: string): Promise<boolean>;
  /** Calls back when a job was added or a queue is free, with the id of the worker that freed it, and when that may have been missed. */
  onNotice(callback: (from: string | null) => void): () => void;
  /** Calls back when our jobs were given to others, since our session was lost for too long. Returns how to end that. */
  onReleased(callback: () => void): () => void;
  /** This worker holds no job any more. */
  forget(workerId: string): void;
  /** Ends the session. The jobs of workers that were not forgotten are given back: other runners do them from their beginning. */
  release(): Promise<void>;
}

/**
 * Takes an advisory lock on a session of its own and records under it, in `job_runners`, which workers it covers; every
 * 5 s the same session releases what dead runners left, and it listens for new jobs. A lost session is opened again, with a new lock, until `stopping`
 * is aborted. Rejects when the first one cannot be opened.
 */
export async function holdRunnerLock(
  databaseUrl: string,
  pool: pg.Pool,
  log: Log,
  stopping: AbortSignal,
): Promise<RunnerLock> {
  const workers = new Set<string>();
  const callbacks = new Set<() => void>();
  const notices = new Set<(from: string | null) => void>();
  const notify = (from: string | null): void => {
    for (const callback of notices) callback(from);
  };
  let held: Promise<Session | null> = Promise.resolve(await openSession(databaseUrl, workers, null, notify));

  const reopen = async (lostKey: string): Promise<Session | null> => {
    while (!stopping.aborted) {
      try {
        const session = await openSession(databaseUrl, workers, lostKey, notify);
        if (session.wasReleased) for (const callback of callbacks) callback();
        notify(null);
        log.info({ released: session.wasReleased }, 'the job runner has a session with the database again');
        return session;
      } catch {
        // The database is away or starts.
        await delay(RECONNECT_MS);
      }
    }
    return null;
  };

  const keep = async (): Promise<void> => {
    for (let session = await held; session !== null; session = await held) {
      await passUntilOver(session, log);
      if (!stopping.aborted) log.warn('the job runner lost its session with the database');
      held = reopen(session.key);
    }
  };
  void keep();

  return {
    async covers(workerId) {
      workers.add(workerId);
      for (let session = await held; session !== null; session = await held) {
        if (session.recorded.has(workerId)) return true;
        try {
          await record(session, workers, pool);
        } catch {
          // The database went away; the next session begins with all workers on record.
          await delay(RECONNECT_MS);
        }
      }
      return false;
    },
    onNotice(callback) {
      notices.add(callback);
      return () => notices.delete(callback);
    },
    onReleased(callback) {
      callbacks.add(callback);
      return () => callbacks.delete(callback);
    },
    forget(workerId) {
      workers.delete(workerId);
    },
    async release() {
      const session = await held;
      if (session !== null) await closeSession(session, [...workers]);
    },
  };
}

interface Session {
  client: pg.Client;
  key: string;
  recorded: Set<string>;
  /** The row of the lost session was gone: another runner took us for dead. */
  wasReleased: boolean;
  over: AbortSignal;
}

async function openSession(
  databaseUrl: string,
  workers: Set<string>,
  lostKey: string | null,
  notify: (from: string | null) => void,
): Promise<Session> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'platen runner',
    connectionTimeoutMillis: 5_000,
    statement_timeout: 10_000,
    query_timeout: 15_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  });
  const over = new AbortController();
  client.on('error', () => over.abort());
  client.once('end', () => over.abort());
  client.on('notification', ({ payload }) => notify(/"from":"([^"]+)"/.exec(payload ?? '')?.[1] ?? null));
  try {
    await client.connect();
    // A host that vanished keeps its lock until the server notices; its default is two hours.
    await client.query('set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3');
    await client.query('listen "jobs:insert"');
    // A new key each time: the server may still hold the lost session's lock.
    const key = randomBytes(8).readBigInt64BE().toString();
    await client.query('select pg_advisory_lock($1)', [key]);
    const recorded = new Set(workers);
    const { rows } = await client.query<{ kept: number }>(
      `with lost as (delete from job_runners where lock_key = $1 returning lock_key),
            mine as (insert into job_runners (lock_key, worker_ids) values ($2, $3))
       select count(*)::int as kept from lost`,
      [lostKey, key, [...recorded]],
    );
    return { client, key, recorded, wasReleased: lostKey !== null && rows[0]?.kept === 0, over: over.signal };
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}

async function record(session: Session, workers: Set<string>, pool: pg.Pool): Promise<void> {
  const recorded = [...workers];
  await pool.query('update job_runners set worker_ids = $2 where lock_key = $1', [session.key, recorded]);
  session.recorded = new Set(recorded);
}

async function passUntilOver(session: Session, log: Log): Promise<void> {
  while (!session.over.aborted) {
    try {
      const { runners, setAside } = await releaseDeadWorkers(session.client, session.key);
      if (runners > 0) log.warn({ runners }, 'released the jobs of job runners that are gone');
      for (const jobId of setAside) log.error({ jobId }, 'a job is set aside: its process died in it again and again');
    } catch (error) {
      // A session that does not answer proves nothing to the others: a new one is opened.
      if (!session.over.aborted) log.warn({ error }, 'the pass for dead job runners failed');
      await delay(RECONNECT_MS);
      await session.client.end().catch(() => undefined);
    }
    await delay(PASS_MS, undefined, { signal: session.over, ref: false }).catch(() => undefined);
  }
}

async function closeSession(session: Session, left: string[]): Promise<void> {
  try {
    // No death: a job that outlasts a stop is not what ended its process.
    if (left.length > 0) await session.client.query(UNLOCK, [left]);
    await session.client.query('delete from job_runners where lock_key = $1', [session.key]);
  } catch {
    // Another runner's pass does it.
  } finally {
    await session.client.end().catch(() => undefined);
  }
}
