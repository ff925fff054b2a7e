import { pino } from 'pino';

/** The structured log: ids, codes and durations; never personal data, never a secret. */
export type Log = pino.Logger;

const SECRET_PATHS = ['key', 'apiKey', 'printKey', 'accessToken', 'refreshToken', 'token', 'secret', 'authorization'];
const PERSONAL_PATHS = ['email', 'phone', 'firstName', 'lastName', 'address', 'shippingAddress', 'recipient', 'body'];
const redacted = [...SECRET_PATHS, ...PERSONAL_PATHS];

/** The log of this process. `destination`: 1 standard output, 2 standard error, or a file. */
export function createLog(level: string, destination: 1 | 2 | string = 1): Log {
  return pino(
    {
      level,
      base: null,
      redact: { paths: [...redacted, ...redacted.map((path) => `*.${path}`)], censor: '[redacted]' },
      serializers: { err: toLoggedError, error: toLoggedError },
    },
    pino.destination({ dest: destination, sync: true }),
  );
}

/** An error as it may be logged: its kind, code and message; never a response body, a URL's secret or a cause's payload. */
function toLoggedError(error: unknown): Record<string, unknown> {
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
