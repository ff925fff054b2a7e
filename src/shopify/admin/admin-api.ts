import { GraphqlQueryError } from '@shopify/shopify-api';
import type { GraphqlClient } from '@shopify/shopify-api';
import type { Dispatcher } from 'undici';
import type { Log } from '../../log.ts';
import type { OutgoingCall } from '../../outgoing-call.ts';
import { ShopifyError } from './errors.ts';
import { graphqlBodySchema, readResponse } from './read-response.ts';
import type { GraphqlBody, PartialResponse } from './read-response.ts';
import { runInExchange } from './request.ts';
import type { Exchange } from './request.ts';
import { MAX_WAIT_SECONDS } from './throttle.ts';
import type { Caller, Throttle } from './throttle.ts';
import { toShopifyError, unclearEffect } from './to-shopify-error.ts';
import type { TypedDocument } from './typed-document.ts';
import type { Clock } from '../../clock.ts';

/** One shop's Admin API, with its token. */
export interface AdminApi {
  readonly shop: string;
  /** Returns an operation's data. Throws ShopifyError, including for `userErrors` and for any refused field. */
  request<Result, Variables>(document: TypedDocument<Result, Variables>, variables: Variables): Promise<Result>;
  /**
   * Behaves like `request`, but accepts a response without protected customer data. Returns the names of the missing fields with the data.
   */
  requestPartial<Result, Variables>(
    document: TypedDocument<Result, Variables>,
    variables: Variables,
  ): Promise<PartialResponse<Result>>;
}

interface AdminApiParts extends Caller {
  clock: Clock;
  client: GraphqlClient;
  origin: string;
  dispatcher: Dispatcher;
  timeoutMs: number;
  throttle: Throttle;
  log: Log;
  onCall: (call: OutgoingCall) => void;
}

/** Number of retries within one call. Each wait before a retry is at most MAX_WAIT_SECONDS. */
const MAX_RETRIES = 4;
const FIRST_BACKOFF_MS = 250;

type AnyDocument = TypedDocument<unknown, never>;

/**
 * Creates one shop's client. Shopify's library sends the requests. This code interprets the responses, waits for points and decides what
 * may be retried. Queries are retried after a network, gateway or rate limit error, and mutations only if they certainly had no effect.
 */
export function createAdminApi(parts: AdminApiParts): AdminApi {
  async function requestPartial<Result, Variables>(
    document: TypedDocument<Result, Variables>,
    variables: Variables,
  ): Promise<PartialResponse<Result>> {
    for (let retries = 0; ; retries += 1) {
      const endCall = await parts.throttle.admit(parts, document.name);
      try {
        const answer = (await sendOnce(parts, document, variables, retries + 1)) as PartialResponse<Result>;
        endCall('answered');
        return answer;
      } catch (error) {
        const isLast = !(error instanceof ShopifyError) || retries === MAX_RETRIES || !canRetry(document, error);
        // A failed call counts once, regardless of how often it was retried.
        if (isOutage(error)) endCall(isLast ? 'failed' : 'unknown');
        else endCall('answered');
        if (error instanceof ShopifyError) error.isDuringOutage = error.retryable && parts.throttle.isOut(parts.shop);
        if (isLast) throw error;
        const wait = waitMs(error, retries);
        if (wait > MAX_WAIT_SECONDS * 1000 || !(await parts.throttle.rest(parts, wait))) throw error;
      }
    }
  }
  return {
    shop: parts.shop,
    requestPartial,
    async request(document, variables) {
      const { data, protectedFieldsMissing } = await requestPartial(document, variables);
      if (protectedFieldsMissing.length === 0) return data;
      throw new ShopifyError('access_denied', {
        operation: document.name,
        effect: unclearEffect(document),
        codes: protectedFieldsMissing,
      });
    },
  };
}

/** Sends one attempt. Throws ShopifyError unless the response contains data. */
async function sendOnce(parts: AdminApiParts, document: AnyDocument, variables: unknown, attempt: number) {
  const { clock, origin, dispatcher, timeoutMs } = parts;
  const exchange: Exchange = { clock, origin, dispatcher, timeoutMs, answer: null, failure: null };
  const startedAt = clock.ticks();
  let outcome = 'ok';
  try {
    const body = await readBody(parts, document, variables, exchange);
    if (body.extensions?.cost) parts.throttle.recordCost(parts.shop, document.name, body.extensions.cost);
    return readResponse(document, body);
  } catch (error) {
    outcome = error instanceof ShopifyError ? error.kind : 'fault';
    throw error;
  } finally {
    warnWhenDeprecated(parts, document, exchange);
    const status = exchange.answer?.status ?? null;
    const durationMs = clock.ticks() - startedAt;
    parts.onCall({ operation: document.name, method: 'POST', status, outcome, durationMs, attempt });
  }
}

async function readBody(
  parts: AdminApiParts,
  document: AnyDocument,
  variables: unknown,
  exchange: Exchange,
): Promise<GraphqlBody> {
  let body: unknown;
  try {
    // The library's own retries are off, because it would retry mutations and read Retry-After as milliseconds.
    const options = { variables: variables as Record<string, unknown>, retries: 0 };
    body = await runInExchange(exchange, () => parts.client.request<unknown>(document.text, options));
  } catch (error) {
    // The library's error is dropped, because its message quotes the response.
    if (!(error instanceof GraphqlQueryError)) throw toShopifyError(document, exchange);
    body = { ...error.body, errors: error.body?.['errors']?.graphQLErrors };
  }
  const checked = graphqlBodySchema.safeParse(body);
  if (checked.success) return checked.data;
  throw new ShopifyError('unavailable', { operation: document.name, effect: unclearEffect(document), status: 200 });
}

/** Whether the store did not respond, because of a timeout or a network error, or responded with a 5xx status. */
function isOutage(error: unknown): boolean {
  return (
    error instanceof ShopifyError &&
    (error.kind === 'network' || error.kind === 'timeout' || (error.status ?? 0) >= 500)
  );
}

function canRetry(document: AnyDocument, error: ShopifyError): boolean {
  // The client's own throttle rejects calls with an error that has no HTTP status. These calls are not retried, because they have already
  // waited or because enough other calls are waiting.
  if (error.kind === 'throttled') return error.status !== null;
  if (document.kind === 'mutation') return error.kind === 'network' && error.effect === 'none';
  return error.kind === 'network' || [502, 503, 504].includes(error.status ?? 0);
}

/** Returns Retry-After, the time until the bucket has enough points, or a doubling backoff. Jitter spreads out the retries. */
function waitMs(error: ShopifyError, retries: number): number {
  const backoff = FIRST_BACKOFF_MS * 2 ** retries;
  const asked = error.retryAfterSeconds === null ? backoff : error.retryAfterSeconds * 1000;
  return asked + (Math.random() * backoff) / 2;
}

function warnWhenDeprecated(parts: AdminApiParts, document: AnyDocument, exchange: Exchange): void {
  const reason = exchange.answer?.headers.get('x-shopify-api-deprecated-reason');
  if (reason)
    parts.log.warn({ shop: parts.shop, operation: document.name, reason }, 'Shopify has deprecated this operation');
}
