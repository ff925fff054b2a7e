import { Logger } from 'graphile-worker';
import type { Log } from '../log.ts';
import { isLostConnection } from './is-lost-connection.ts';

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
