import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { Clock } from '../../clock.ts';
import type { Log } from '../../log.ts';
import { releaseDeadWorkers } from './release-dead-workers.ts';
import { RELEASE_WORKERS } from './claim-jobs.ts';

const RECONNECT_MS = 200;

/** A lock that shows all other runners that this runner is alive. The runner holds the lock for as long as its database session lasts. */
export interface RunnerLock {
  /** Resolves with true once the lock is held and lists this worker, or with false if the lock was abandoned. */
  covers(workerId: string): Promise<boolean>;
  /**
   * Calls `callback` when a job has been added or a queue has been freed, with the ID of the worker that freed the queue. Also calls it
   * when a notice may have been missed. Returns an unsubscribe function.
   */
  onNotice(callback: (from: string | null) => void): () => void;
  /**
   * Calls `callback` when a lost session has been replaced. `wasReleased` means that the session was lost for so long that this runner's
   * jobs have been released to others. Returns an unsubscribe function.
   */
  onReconnect(callback: (wasReleased: boolean) => void): () => void;
  /** Records that this worker no longer has any jobs. */
  forget(workerId: string): void;
  /** Ends the session. Jobs of workers that were not forgotten are released, and other runners start them again. */
  release(): Promise<void>;
}

/**
 * Acquires an advisory lock in a separate session and records the runner's workers in `job_runners`. The session releases the jobs of dead
 * runners every 5 s, and listens for new jobs. A lost session is reopened with a new lock until `stopping` is aborted. Rejects if the first
 * session cannot be opened.
 */
export async function holdRunnerLock(
  { clock, databaseUrl, log, passMs }: { clock: Clock; databaseUrl: string; log: Log; passMs: number },
  pool: pg.Pool,
  stopping: AbortSignal,
): Promise<RunnerLock> {
  const workers = new Set<string>();
  const callbacks = new Set<(wasReleased: boolean) => void>();
  const notices = new Set<(from: string | null) => void>();
  const notify = (from: string | null): void => {
    for (const callback of notices) callback(from);
  };
  let held: Promise<Session | null> = Promise.resolve(await openSession(databaseUrl, workers, null, notify));

  const reopen = async (lostKey: string): Promise<Session | null> => {
    while (!stopping.aborted) {
      try {
        const session = await openSession(databaseUrl, workers, lostKey, notify);
        for (const callback of callbacks) callback(session.wasReleased);
        notify(null);
        log.info({ released: session.wasReleased }, 'the job runner has reconnected to the database');
        return session;
      } catch {
        // The database is unavailable or starting.
        await clock.sleep(RECONNECT_MS);
      }
    }
    return null;
  };

  const maintainSession = async (): Promise<void> => {
    for (let session = await held; session !== null; session = await held) {
      await releaseUntilSessionEnds(clock, session, { log, passMs });
      if (!stopping.aborted) log.warn('the job runner lost its connection to the database');
      held = reopen(session.key);
    }
  };
  void maintainSession();

  return {
    async covers(workerId) {
      workers.add(workerId);
      for (let session = await held; session !== null; session = await held) {
        if (session.recorded.has(workerId)) return true;
        try {
          await recordWorkers(session, workers, pool);
        } catch {
          // The database is unavailable. The next session starts with all workers recorded.
          await clock.sleep(RECONNECT_MS);
        }
      }
      return false;
    },
    onNotice(callback) {
      notices.add(callback);
      return () => notices.delete(callback);
    },
    onReconnect(callback) {
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
  /** True if the lost session's row was deleted: another runner considered this runner dead. */
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
    // By default, the server notices only after two hours that a client's host has disappeared, and holds the lock until then.
    await client.query('set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3');
    await client.query("set statement_timeout = '10s'");
    await client.query('listen "jobs:insert"');
    // Each session uses a new key, because the server may still hold the lost session's lock.
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

async function recordWorkers(session: Session, workers: Set<string>, pool: pg.Pool): Promise<void> {
  const recorded = [...workers];
  await pool.query('update job_runners set worker_ids = $2 where lock_key = $1', [session.key, recorded]);
  session.recorded = new Set(recorded);
}

async function releaseUntilSessionEnds(
  clock: Clock,
  session: Session,
  { log, passMs }: { log: Log; passMs: number },
): Promise<void> {
  while (!session.over.aborted) {
    try {
      const { runners, setAside } = await releaseDeadWorkers(session.client, session.key);
      if (runners > 0) log.warn({ runners }, 'released the jobs of dead job runners');
      for (const jobId of setAside)
        log.error({ jobId }, 'a job is set aside: its process died repeatedly while running it');
    } catch (error) {
      // An unresponsive session does not show other runners that this runner is alive, so a new session is opened.
      if (!session.over.aborted) log.warn({ error }, 'the check for dead job runners failed');
      await clock.sleep(RECONNECT_MS);
      await session.client.end().catch(() => undefined);
    }
    await clock.sleep(passMs, session.over).catch(() => undefined);
  }
}

async function closeSession(session: Session, left: string[]): Promise<void> {
  try {
    // Releasing the jobs does not count as a process death: a job that outlasts the time limit for stopping has not crashed its process.
    if (left.length > 0) await session.client.query(RELEASE_WORKERS, [left]);
    await session.client.query('delete from job_runners where lock_key = $1', [session.key]);
  } catch {
    // Another runner's next pass releases the jobs.
  } finally {
    await session.client.end().catch(() => undefined);
  }
}
