import { Logger } from 'graphile-worker';
import pg from 'pg';
import type { Log } from '../log.ts';

/**
 * The queue's own messages in our log, without what it attaches to them: whole jobs with their payloads. A job that fails is logged by the
 * runner, and an outage of the database by the runner's session (hold-runner-lock.ts): the queue would repeat it at each reconnect.
 */
export function toQueueLogger(log: Log): Logger {
  return new Logger(() => (level, message, meta) => {
    if (meta['failure'] === true) return;
    const isProblem = level === 'error' || level === 'warning';
    if (isProblem && !isLostConnection(meta['error'])) log.warn(message);
    else log.debug(message);
  });
}

/** Whether the server shuts down, starts or cannot be reached. The driver's own errors have no code, and name the connection. */
function isLostConnection(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return /^(08|57P)/.test(error.code ?? '');
  return (
    error instanceof Error &&
    (/\bconnect/i.test(error.message) || ('code' in error && /^E[A-Z]+$/.test(String(error.code))))
  );
}
