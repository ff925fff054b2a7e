import type { Dispatcher } from 'undici';
import type { Clock } from '../../clock.ts';

/** One HTTP request to the service. */
export interface HttpRequest {
  origin: string;
  path: string;
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  key: string;
  /** The body as JSON text. */
  body: string | null;
  timeoutMs: number;
  /** The time after which nothing is sent, as a value of `clock.ticks()`. */
  sendDeadline: number | undefined;
}

/**
 * The result of a request: a response, or a failure with its code and whether any part of the request was written to a connection.
 * `waitSeconds` is how long the key's limits require the caller to wait, if at all.
 */
export type HttpResult =
  | { status: number; retryAfter: string | null; text: string; waitSeconds?: number }
  | { status: null; code: string; written: boolean; waitSeconds?: number };

/**
 * Sends one request and reads its entire response. Never throws, follows no redirects, and retries nothing. The send deadline is checked in
 * the same event loop tick that writes the request to a connected socket. A process that was suspended for a while therefore never sends a
 * request late.
 */
export function sendRequest(dispatcher: Dispatcher, clock: Clock, request: HttpRequest): Promise<HttpResult> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let answer: { status: number; retryAfter: string | null } | null = null;
    let written = false;
    let stop: ((error: Error) => void) | null = null;
    let ended: string | null = null;

    const fail = (code: string) => {
      ended ??= code;
      cancelTimeout();
      resolve({ status: null, code: ended, written });
    };
    const cancelTimeout = clock.after(request.timeoutMs, () => {
      fail('TIMEOUT');
      stop?.(new Error('timeout'));
    });

    dispatcher.dispatch(toDispatchOptions(request), {
      // If this handler throws, nothing is sent. The dispatcher calls the handler again for each further connection that it tries.
      onRequestStart(controller) {
        if (ended === null && clock.ticks() > (request.sendDeadline ?? Infinity)) ended = 'SEND_DEADLINE';
        if (ended !== null || written) throw new Error('not sent');
        written = true;
        stop = (error) => controller.abort(error);
      },
      onResponseStart(_controller, status, headers) {
        const retryAfter = headers['retry-after'];
        if (status >= 200) answer = { status, retryAfter: typeof retryAfter === 'string' ? retryAfter : null };
      },
      onResponseData(_controller, chunk) {
        chunks.push(chunk);
      },
      onResponseEnd() {
        if (answer === null) return fail('NO_ANSWER');
        cancelTimeout();
        resolve({ ...answer, text: new TextDecoder().decode(Buffer.concat(chunks)) });
      },
      onResponseError(_controller, error) {
        fail(toCode(error));
      },
    });
  });
}

function toDispatchOptions({ origin, path, method, key, body }: HttpRequest): Dispatcher.DispatchOptions {
  const headers = {
    'x-api-key': key,
    'content-type': 'application/json',
    accept: 'application/json',
    'user-agent': 'platen',
  };
  // The timer of `sendRequest` limits the whole request, so the dispatcher needs no timeouts.
  return {
    origin,
    path,
    method,
    headers,
    body: body === null ? null : Buffer.from(body),
    headersTimeout: 0,
    bodyTimeout: 0,
  };
}

/** Returns the code of a connection error. The error's message and fields are dropped, because they may contain parts of the response. */
function toCode(error: Error): string {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && code !== '' ? code : error.name;
}
