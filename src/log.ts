import { AsyncLocalStorage } from 'node:async_hooks';
import { pino } from 'pino';
import { PlatenError } from './errors.ts';

/** The structured log. It contains IDs, codes and durations, but never personal data or secrets. */
export type Log = pino.Logger;

const SECRET_PATHS = ['key', 'apiKey', 'printKey', 'accessToken', 'refreshToken', 'token', 'secret', 'authorization'];
const PERSONAL_PATHS = ['email', 'phone', 'firstName', 'lastName', 'address', 'shippingAddress', 'recipient', 'body'];
const redacted = [...SECRET_PATHS, ...PERSONAL_PATHS];

const fieldsOfWork = new AsyncLocalStorage<Record<string, unknown>>();

/** Runs `work` and adds the given fields, such as the shop, to every line that is logged during it. */
export function withLogFields<Result>(fields: Record<string, unknown>, work: () => Promise<Result>): Promise<Result> {
  return fieldsOfWork.run({ ...fieldsOfWork.getStore(), ...fields }, work);
}

/**
 * Returns the log level for a failure that Platen handles. A failure that resolves without intervention is not a warning. An outage is
 * reported when it starts and when it ends, not for each failed request.
 */
export function levelOf(error: unknown): 'debug' | 'info' | 'warn' {
  if (!(error instanceof PlatenError)) return 'warn';
  if (error.isDuringOutage) return 'debug';
  return 'retryable' in error && error.retryable === true ? 'info' : 'warn';
}

/** Logs one line when an outage starts and one line when it ends. */
export function logOutage(
  log: Log,
  about: { api: 'print' | 'store'; shop?: string; seconds: number },
  what: 'starts' | 'is over',
): void {
  const whose = about.api === 'print' ? 'the print service' : "a store's Admin API";
  if (what === 'starts') log.warn(about, `an outage of ${whose} has started: requests wait until it responds`);
  else log.info(about, `the outage of ${whose} is over`);
}

/** Creates this process's log. `destination` is 1 for standard output, 2 for standard error, or a file. */
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

/**
 * Returns the loggable part of an error: type, code and message, but never a response body, a secret in a URL or the payload of a cause.
 */
function toLoggedError(error: unknown): unknown {
  // A string is one of Platen's codes, which are safe to log.
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
