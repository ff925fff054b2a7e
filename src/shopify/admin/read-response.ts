import { z } from 'zod';
import { ShopifyError } from './errors.ts';
import type { ShopifyErrorKind, UserError } from './errors.ts';
import { unclearEffect } from './to-shopify-error.ts';
import type { Call } from './to-shopify-error.ts';
import { costSchema } from './throttle.ts';
import type { Cost } from './throttle.ts';

const graphqlErrorSchema = z.looseObject({
  message: z.string(),
  path: z.array(z.union([z.string(), z.number()])).nullish(),
  extensions: z.looseObject({ code: z.string().nullish(), requiredAccess: z.string().nullish().catch(null) }).nullish(),
});
type GraphqlError = z.infer<typeof graphqlErrorSchema>;

/** The GraphQL body of a 200 response, validated only as far as the client relies on it. */
export const graphqlBodySchema = z.looseObject({
  data: z.record(z.string(), z.unknown()).nullish(),
  errors: z.array(graphqlErrorSchema).nullish(),
  extensions: z.looseObject({ cost: costSchema.nullish().catch(null) }).nullish(),
});
export type GraphqlBody = z.infer<typeof graphqlBodySchema>;

/**
 * An operation's data, and the names of the fields that Shopify left empty because the app may not see protected customer data. A name such
 * as `customer.email` omits the response's root field, list indexes and `nodes`.
 */
export interface PartialResponse<Result> {
  data: Result;
  protectedFieldsMissing: string[];
}

const kindByCode: Partial<Record<string, ShopifyErrorKind>> = {
  THROTTLED: 'throttled',
  ACCESS_DENIED: 'access_denied',
  SHOP_INACTIVE: 'locked',
  INTERNAL_SERVER_ERROR: 'unavailable',
};

/**
 * Returns a response's data. Throws for a mutation's `userErrors`, refused fields, an empty bucket or another Shopify error. Data with
 * refused fields is accepted only if each refused field is below the root, and either optional or missing only the approval for customer
 * data.
 */
export function readResponse(call: Call, body: GraphqlBody): PartialResponse<unknown> {
  const errors = body.errors ?? [];
  const faults = errors.filter((error) => !isRefusedOptionalField(error, body.data));
  if (body.data && faults.every((error) => isHiddenField(error, body.data))) {
    throwUserErrors(call, body.data);
    return { data: body.data, protectedFieldsMissing: [...new Set(faults.map(toFieldName))] };
  }
  const codes = errors.map((error) => error.extensions?.code ?? '');
  const kind = codes.map((code) => kindByCode[code]).find((known) => known !== undefined) ?? 'graphql';
  throw new ShopifyError(errors.length === 0 ? 'unavailable' : kind, {
    operation: call.name,
    effect: isRefusal(kind, body) ? 'none' : unclearEffect(call),
    status: 200,
    retryAfterSeconds: kind === 'throttled' ? secondsUntilAffordable(body.extensions?.cost) : null,
    userErrors: errors.map(toUserError),
    codes: errors.map((error, index) => [codes[index], error.path?.join('.')].filter(Boolean).join(' at ')),
  });
}

/** Throws the mutation's own validation errors, under any of their names (`userErrors`, `orderCancelUserErrors`). */
function throwUserErrors(call: Call, data: Record<string, unknown>): void {
  const found = Object.values(data).flatMap((payload) => readUserErrors(call, payload));
  if (found.length === 0) return;
  const userErrors = found.map(({ field, message }) => ({ field: field?.join('.') ?? null, message }));
  const codes = found.map(({ field, code }) => [field?.join('.'), code].filter(Boolean).join(' '));
  throw new ShopifyError('user_error', { operation: call.name, effect: 'none', status: 200, userErrors, codes });
}

const userErrorSchema = z.looseObject({
  field: z.array(z.string()).nullish(),
  message: z.string(),
  code: z.string().nullish(),
});

function readUserErrors(call: Call, payload: unknown): z.infer<typeof userErrorSchema>[] {
  if (typeof payload !== 'object' || payload === null) return [];
  const lists = Object.entries(payload).filter(([name]) => /userErrors$/i.test(name));
  return lists.flatMap(([, list]) => {
    const checked = z.array(userErrorSchema).safeParse(list);
    if (checked.success) return checked.data;
    throw new ShopifyError('unavailable', { operation: call.name, effect: unclearEffect(call), status: 200 });
  });
}

/**
 * Matches Shopify's message for a missing approval. For a missing scope, the message is "Access denied for … field. Required access: …".
 */
const NOT_APPROVED_MESSAGE = /not approved|protected[ -]customer[ -]data/i;

/**
 * Whether a field was refused only because this app is not approved for protected customer data. If a scope is missing, the empty field
 * must not be mistaken for a field without a value. An empty root field must not be mistaken for a missing object.
 */
function isHiddenField({ path, extensions, message }: GraphqlError, data: GraphqlBody['data']): boolean {
  const [root, ...rest] = path ?? [];
  if (extensions?.code !== 'ACCESS_DENIED' || extensions.requiredAccess || !NOT_APPROVED_MESSAGE.test(message))
    return false;
  return rest.length > 0 && Boolean(data?.[String(root)]);
}

/** Fields that may be refused for any reason. Orders are printed without them (docs/rules/planning.md#requests-of-the-buyer). */
const OPTIONAL_FIELDS: ReadonlySet<unknown> = new Set(['displayRequestedEditStatus']);

function isRefusedOptionalField({ path, extensions }: GraphqlError, data: GraphqlBody['data']): boolean {
  const [root, ...rest] = path ?? [];
  return extensions?.code === 'ACCESS_DENIED' && OPTIONAL_FIELDS.has(rest.at(-1)) && Boolean(data?.[String(root)]);
}

/**
 * Whether the call certainly had no effect: the bucket is empty, the shop is inactive, or an error with a code occurred before anything
 * ran.
 */
function isRefusal(kind: ShopifyErrorKind, { data, errors }: GraphqlBody): boolean {
  if (!errors?.length) return false;
  if (kind === 'throttled' || kind === 'locked') return true;
  if (kind === 'access_denied') return errors.every((error) => (error.path ?? []).length <= 1);
  return kind === 'graphql' && !data && errors.every((error) => Boolean(error.extensions?.code));
}

function secondsUntilAffordable(cost: Cost | null | undefined): number | null {
  if (!cost) return null;
  const { maximumAvailable, currentlyAvailable, restoreRate } = cost.throttleStatus;
  return Math.max(0, Math.min(cost.requestedQueryCost, maximumAvailable) - currentlyAvailable) / restoreRate;
}

function toFieldName(error: GraphqlError): string {
  return (error.path ?? [])
    .slice(1)
    .filter((step) => typeof step === 'string' && step !== 'nodes')
    .join('.');
}

function toUserError(error: GraphqlError): UserError {
  return { field: error.path?.join('.') ?? null, message: error.message };
}
