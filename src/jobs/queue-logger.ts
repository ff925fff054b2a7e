import { Logger } from 'graphile-worker';
import type { Log } from '../log.ts';

/**
 * The queue's own messages in our log, without what it attaches to them: whole jobs with their payloads.
 * A job that fails is logged by the runner.
 */
export function toQueueLogger(log: Log): Logger {
  return new Logger(() => (level, message, meta) => {
    if (meta['failure'] === true) return;
    if (level === 'error' || level === 'warning') log.warn(message);
    else log.debug(message);
  });
}
