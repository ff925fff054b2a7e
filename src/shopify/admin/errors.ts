import { PlatenError } from '../../errors.ts';
import type { Effect } from '../../errors.ts';

/** The reason why a call to Shopify failed, for programs. */
export type ShopifyErrorKind =
  | 'throttled'
  | 'unauthorized'
  | 'payment_required'
  | 'forbidden'
  | 'access_denied'
  | 'not_found'
  | 'locked'
  | 'user_error'
  | 'graphql'
  | 'unavailable'
  | 'network'
  | 'timeout';

/** One of Shopify's validation errors about an operation's input: the path of the field, if given, and the message. */
export interface UserError {
  field: string | null;
  message: string;
}

const sentenceByKind: Record<ShopifyErrorKind, string> = {
  throttled: "Shopify's rate limit has been reached",
  unauthorized: 'Shopify does not accept the token',
  payment_required: 'the shop is frozen because its bill is unpaid',
  // HTTP 403 and 430 mean that the app or this server is misconfigured. The shop is not at fault.
  forbidden:
    "Shopify rejects this server: check the app's credentials, and make sure that this address is on its IP allowlist",
  access_denied:
    'the app is not allowed to do this in the shop: an access scope or the approval for customer data is missing',
  not_found: 'Shopify does not know this shop or address',
  locked: 'the shop is locked',
  user_error: 'Shopify rejected the input',
  graphql: 'Shopify could not execute the operation',
  unavailable: 'Shopify returned no usable response',
  network: 'the connection to Shopify failed',
  timeout: 'Shopify did not respond in time',
};

const retryableKinds: ReadonlySet<ShopifyErrorKind> = new Set(['throttled', 'unavailable', 'network', 'timeout']);

interface ShopifyErrorDetails {
  operation: string;
  effect: Effect;
  status?: number | null;
  retryAfterSeconds?: number | null;
  userErrors?: readonly UserError[];
  /** Shopify's error codes and the paths that it names, but never its messages, which may quote the input. */
  codes?: readonly string[];
  /** The path of the value that makes the response unusable. */
  field?: string | null;
  cause?: unknown;
}

/**
 * A failed call to the Admin API. `effect`: whether the call may have taken effect anyway. `retryable`: whether the same call may succeed
 * later. The message contains only the operation and codes, and no token, input or personal data.
 */
export class ShopifyError extends PlatenError {
  readonly kind: ShopifyErrorKind;
  /** What happened, in wording that is safe to show to anyone. */
  readonly sentence: string;
  readonly operation: string;
  readonly retryable: boolean;
  readonly effect: Effect;
  readonly status: number | null;
  readonly retryAfterSeconds: number | null;
  readonly userErrors: readonly UserError[];
  readonly field: string | null;

  constructor(kind: ShopifyErrorKind, details: ShopifyErrorDetails) {
    const hints = [details.status ? `HTTP ${details.status}` : '', ...(details.codes ?? [])].filter(Boolean);
    const suffix = hints.length > 0 ? ` (${[...new Set(hints)].join(', ')})` : '';
    super(
      `shopify_${kind}`,
      `${details.operation}: ${sentenceByKind[kind]}${suffix}`,
      details.cause === undefined ? undefined : { cause: details.cause },
    );
    this.kind = kind;
    this.sentence = sentenceByKind[kind];
    this.operation = details.operation;
    this.retryable = retryableKinds.has(kind);
    this.effect = details.effect;
    this.status = details.status ?? null;
    this.retryAfterSeconds = details.retryAfterSeconds ?? null;
    this.userErrors = details.userErrors ?? [];
    this.field = details.field ?? null;
  }
}

/** A session token that cannot be trusted. Endpoints respond with 401, so that App Bridge fetches a new token. */
export class InvalidSessionTokenError extends PlatenError {
  constructor(reason: string) {
    super('invalid_session_token', `The session token is not valid: ${reason}.`);
  }
}
