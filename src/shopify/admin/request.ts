import { AsyncLocalStorage } from 'node:async_hooks';
import '@shopify/shopify-api/adapters/node';
import { setAbstractFetchFunc } from '@shopify/shopify-api/runtime';
import { request } from 'undici';
import type { Dispatcher } from 'undici';
import { toStorableJsonText } from '../../to-storable-json-text.ts';
import type { Clock } from '../../clock.ts';

/** One HTTP exchange with Shopify: its destination and its result. */
export interface Exchange {
  readonly clock: Clock;
  /** Replaces `https://{shop}`. A path at the end of the origin is preserved. */
  readonly origin: string;
  readonly dispatcher: Dispatcher;
  readonly timeoutMs: number;
  answer: Answer | null;
  failure: unknown;
}

interface Answer {
  status: number;
  headers: Headers;
  body: string;
}

const exchanges = new AsyncLocalStorage<Exchange>();
const statusesWithoutBody = new Set([204, 205, 304]);

// The library calls https://{shop} through one function for the entire process, and preserves neither the cause of a failure nor the body
// of an error response. This replacement takes the origin and timeout from the current exchange, and stores the cause and the body in the
// exchange.
setAbstractFetchFunc(async (input, init) => {
  const exchange = exchanges.getStore();
  if (!exchange) throw new Error('Shopify was called outside of an exchange');
  try {
    exchange.answer = await sendOverNetwork(exchange, new URL(input instanceof Request ? input.url : input), init);
  } catch (error) {
    exchange.failure = error;
    throw error;
  }
  const { status, headers, body } = exchange.answer;
  return new Response(statusesWithoutBody.has(status) ? null : body, { status, headers });
});

/** Runs a library call whose only HTTP request is this exchange: one attempt with one time limit and no redirects. */
export function runInExchange<T>(exchange: Exchange, call: () => Promise<T>): Promise<T> {
  return exchanges.run(exchange, call);
}

async function sendOverNetwork(exchange: Exchange, url: URL, init: RequestInit | undefined): Promise<Answer> {
  const response = await request(exchange.origin + url.pathname + url.search, {
    dispatcher: exchange.dispatcher,
    method: 'POST',
    headers: [...new Headers(init?.headers)].flat(),
    body: typeof init?.body === 'string' ? init.body : null,
    signal: exchange.clock.timeout(exchange.timeoutMs),
  });
  const headers = new Headers();
  for (const [name, value] of Object.entries(response.headers)) headers.set(name, String(value));
  return { status: response.statusCode, headers, body: toStorableJsonText(await response.body.text()) };
}
