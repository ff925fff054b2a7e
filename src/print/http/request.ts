import type { Dispatcher } from 'undici';

/** One HTTP request to the service. */
export interface HttpRequest {
  origin: string;
  path: string;
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  key: string;
  /** JSON text. */
  body: string | null;
  timeoutMs: number;
  /** A value of performance.now(): nothing is written after it. */
  sendDeadline: number | undefined;
}

/**
 * What came of it: an answer, or a failure with its code and whether anything of the request was written to a connection. `waitSeconds`
 * is how long the limits of the key ask to wait, when they do.
 */
export type HttpResult =
  | { status: number; retryAfter: string | null; text: string; waitSeconds?: number }
  | { status: null; code: string; written: boolean; waitSeconds?: number };

/**
 * Sends one request and reads its whole answer; it never throws, follows no redirect and repeats nothing. The send deadline is checked in
 * the same turn of JavaScript in which the request is written to a connected socket, so that a process that stood still writes nothing late.
 */
export function sendRequest(dispatcher: Dispatcher, request: HttpRequest): Promise<HttpResult> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let answer: { status: number; retryAfter: string | null } | null = null;
    let written = false;
    let stop: ((error: Error) => void) | null = null;
    let ended: string | null = null;

    const fail = (code: string) => {
      ended ??= code;
      clearTimeout(timer);
      resolve({ status: null, code: ended, written });
    };
    const timer = setTimeout(() => {
      fail('TIMEOUT');
      stop?.(new Error('timeout'));
    }, request.timeoutMs);

    dispatcher.dispatch(toDispatchOptions(request), {
      // Throwing here means that nothing is written. It is called again when the dispatcher tries another connection.
      onRequestStart(controller) {
        if (ended === null && performance.now() > (request.sendDeadline ?? Infinity)) ended = 'SEND_DEADLINE';
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
        clearTimeout(timer);
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
  // The timer above bounds the whole request.
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

/** The code of a connection's error; its message and fields may hold bytes of the answer, and are left. */
function toCode(error: Error): string {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && code !== '' ? code : error.name;
}
