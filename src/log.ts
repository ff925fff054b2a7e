import { AsyncLocalStorage } from 'node:async_hooks';
import { openSync, writeSync } from 'node:fs';
import { pino } from 'pino';
import { describeLack } from './database/error-code.ts';
import { PlatenError } from './errors.ts';

/** The structured log. It contains IDs, codes and durations, but never personal data or secrets. */
export type Log = pino.Logger;

const SECRET_PATHS = ['key', 'apiKey', 'printKey', 'accessToken', 'refreshToken', 'token', 'secret', 'authorization'];
const PERSONAL_PATHS = ['email', 'phone', 'firstName', 'lastName', 'address', 'shippingAddress', 'recipient', 'body'];
const redacted = [...SECRET_PATHS, ...PERSONAL_PATHS];

/** How many bytes of lines wait in memory while they cannot be written. Further lines are lost. */
const MAX_WAITING_BYTES = 256 * 1024;
/** How often and how long to wait for the reader of a full pipe. If it still does not read, no line waits for it until it does. */
const MAX_PIPE_TRIES = 20;
const PIPE_PAUSE_MS = 25;
let lostLines = 0;

/** Returns the number of log lines that this process has lost because it could not write them. */
export function countLostLines(): number {
  return lostLines;
}

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

/**
 * Creates this process's log. `destination` is 1 for standard output, 2 for standard error, or a file. Logging never throws, not even while
 * the disk is full. Throws only if the file cannot be opened.
 */
export function createLog(level: string, destination: 1 | 2 | string = 1): Log {
  return pino(
    {
      level,
      base: null,
      redact: { paths: [...redacted, ...redacted.map((path) => `*.${path}`)], censor: '[redacted]' },
      mixin: () => ({ ...fieldsOfWork.getStore() }),
      serializers: { err: toLoggedError, error: toLoggedError },
    },
    openDestination(destination),
  );
}

/**
 * Opens a destination that survives a full disk and a reader that has stopped. Lines that cannot be written wait for the next line. Beyond
 * a limit, they are lost and counted.
 */
function openDestination(destination: 1 | 2 | string): pino.DestinationStream {
  const file = typeof destination === 'string' ? openSync(destination, 'a') : destination;
  let waiting: Buffer = Buffer.alloc(0);
  let pipeTries = 0;

  function writeWaiting(): void {
    while (waiting.length > 0)
      try {
        // A write may take only a part of a line.
        waiting = waiting.subarray(writeSync(file, waiting));
        pipeTries = 0;
      } catch (error) {
        const isFullPipe = (error as NodeJS.ErrnoException).code === 'EAGAIN';
        if (!isFullPipe || pipeTries === MAX_PIPE_TRIES) return;
        pipeTries += 1;
        sleep(PIPE_PAUSE_MS);
      }
  }

  return {
    write(line) {
      const bytes = Buffer.from(line);
      if (waiting.length + bytes.length > MAX_WAITING_BYTES) lostLines += 1;
      else waiting = Buffer.concat([waiting, bytes]);
      writeWaiting();
    },
  };
}

/** Blocks the process, because a line is either written or known to wait when the logging call returns. */
function sleep(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
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
    why: describeLack(error) ?? undefined,
  };
}
