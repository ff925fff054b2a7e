import { AsyncLocalStorage } from 'node:async_hooks';
import { pino } from 'pino';
import { PlatenError } from './errors.ts';

/** The structured log: ids, codes and durations; never personal data, never a secret. */
export type Log = pino.Logger;

const SECRET_PATHS = ['key', 'apiKey', 'printKey', 'accessToken', 'refreshToken', 'token', 'secret', 'authorization'];
const PERSONAL_PATHS = ['email', 'phone', 'firstName', 'lastName', 'address', 'shippingAddress', 'recipient', 'body'];
const redacted = [...SECRET_PATHS, ...PERSONAL_PATHS];

const fieldsOfWork = new AsyncLocalStorage<Record<string, unknown>>();

/** Does some work of which every line in the log has these fields, such as the shop that it is for. */
export function withLogFields<Result>(fields: Record<string, unknown>, work: () => Promise<Result>): Promise<Result> {
  return fieldsOfWork.run({ ...fieldsOfWork.getStore(), ...fields }, work);
}

/**
 * How a failure that Platen handles is logged: what passes without a person is no warning, and an outage is reported once, where it
 * starts and ends, and not by each call that it fails.
 */
export function levelOf(error: unknown): 'debug' | 'info' | 'warn' {
  if (!(error instanceof PlatenError)) return 'warn';
  if (error.isDuringOutage) return 'debug';
  return 'retryable' in error && error.retryable === true ? 'info' : 'warn';
}

/** An outage has two lines in the log, whatever the number of calls that it fails. */
export function logOutage(
  log: Log,
  about: { api: 'print' | 'store'; shop?: string; seconds: number },
  what: 'starts' | 'is over',
): void {
  const whose = about.api === 'print' ? 'the print service' : "a store's Admin API";
  if (what === 'starts') log.warn(about, `an outage of ${whose} starts: its calls wait until it answers`);
  else log.info(about, `the outage of ${whose} is over`);
}

/** The log of this process. `destination`: 1 standard output, 2 standard error, or a file. */
export function createLog(level: string, destination: 1 | 2 | string = 1): Log {
  return pino(
    {
      level,
      base: null,
      redact: { paths: [...redacted, ...redacted.map((path) => `*.${path}`)], censor: '[redacted]' },
      mixin: () => ({ ...fieldsOfWork.getStore() }),
      serializers: { err: toLoggedError, error: toLoggedError },
    },
    pino.destination({ dest: destination, sync: true }),
  );
}

/** An error as it may be logged: its kind, code and message; never a response body, a URL's secret or a cause's payload. */
function toLoggedError(error: unknown): unknown {
  // A code of ours, which says all there is.
  if (typeof error === 'string') return error;
  if (!(error instanceof Error)) return { type: typeof error };
  const { code } = error as { code?: unknown };
  return {
    type: error.name,
    code: typeof code === 'string' ? code : undefined,
    message: error.message,
    stack: error.stack,
    cause: error.cause instanceof Error ? error.cause.message : undefined,
  };
}
