import { z } from 'zod';
import { PrintServiceError, type PrintOutcome, type PrintProblem } from '../errors.ts';
import { toProblemField, toPrintProblem } from '../to-print-problem.ts';
import { isJsonObject, parseJson } from './parse-json.ts';
import { parseRetryAfter } from './parse-retry-after.ts';
import type { HttpResult } from './request.ts';
import type { CallKind, PrintCall } from './send.ts';

type Call = Pick<PrintCall<unknown>, 'operation' | 'kind' | 'method' | 'host' | 'isCharged'>;

/** The documented problem for each code with which `CallLimits` rejects a call. `BUSY` has no documented problem. */
const PROBLEMS = new Map<string, PrintProblem>([
  ['PAUSED', 'too_many_requests'],
  ['OPEN', 'out'],
]);
const PROOF_OPERATIONS = new Set(['getStoreProduct', 'getTemplate']);
const CREATE_REFUSAL_STATUSES = new Set([400, 404, 422]);

/**
 * The known parts of an error body. The earlier interfaces return only `message`, while current calls also return `details` with a path.
 */
const errorBodySchema = z.looseObject({
  message: z.string().optional().catch(undefined),
  details: z
    .array(
      z.looseObject({
        message: z.string().optional().catch(undefined),
        reference: z.string().optional().catch(undefined),
      }),
    )
    .optional()
    .catch(undefined),
});

/**
 * Returns the error for a call that received no response, an error response or an unreadable 2xx response. `unreadField` is the path of
 * the field that makes a 2xx response unreadable, if there is one.
 */
export function toPrintError(
  call: Call,
  result: HttpResult,
  now: Date,
  unreadField: string | null = null,
): PrintServiceError {
  if (result.status === null) return toNoResponseError(call, result);
  const { status, text, waitSeconds } = result;
  const json = parseJson(text);
  const body = isJsonObject(json) ? errorBodySchema.parse(json) : {};
  const succeeded = status >= 200 && status < 300;
  const words = [body.message, ...(body.details ?? []).map((detail) => detail.message)];
  const problem = toPrintProblem(call.operation, status, words.filter((word) => word !== undefined).join('\n'));
  return new PrintServiceError({
    operation: call.operation,
    outcome: succeeded ? toUnclearOutcome(call.kind) : toOutcome(call, status, isJsonObject(json)),
    reason: succeeded ? `status ${status}, but ${describeUnread(unreadField)}` : `status ${status}`,
    status,
    retryAfterSeconds: waitSeconds ?? parseRetryAfter(result.retryAfter, now),
    problem,
    field: unreadField ?? body.details?.find((detail) => detail.reference)?.reference ?? toProblemField(problem),
    details: (body.details ?? []).flatMap(({ message, reference }) =>
      message ? [{ message, field: reference ?? null }] : [],
    ),
    serviceMessage: body.message ?? body.details?.find((detail) => detail.message)?.message ?? null,
    body: text,
  });
}

function describeUnread(field: string | null): string {
  return field === null ? 'the response does not belong to this call' : `its field ${field} is not readable`;
}

/**
 * Returns the error for a request that was not sent because its schema rejects it. The error names the first invalid field, but never its
 * value.
 */
export function toInvalidRequestError(operation: string, error: z.ZodError): PrintServiceError {
  const [issue] = error.issues;
  const field = issue === undefined ? '' : z.core.toDotPath(issue.path);
  const reason = `not sent (${field === '' ? 'the request' : field}: ${issue?.message ?? 'invalid'})`;
  return new PrintServiceError({
    operation,
    outcome: 'refused',
    reason,
    problem: 'invalid_request',
    field: field === '' ? null : field,
  });
}

function toNoResponseError({ operation, kind }: Call, result: HttpResult & { status: null }): PrintServiceError {
  const { code, written, waitSeconds } = result;
  if (written)
    return new PrintServiceError({ operation, outcome: toUnclearOutcome(kind), reason: `no response (${code})` });
  return new PrintServiceError({
    operation,
    outcome: kind === 'read' ? 'unavailable' : 'nothing_made',
    reason: `not sent (${code})`,
    problem: PROBLEMS.get(code) ?? null,
    retryAfterSeconds: waitSeconds ?? null,
  });
}

/**
 * Returns the outcome of a non-2xx status (docs/rules/created-once.md#outcomes-of-a-create). For create, quote and search requests, some
 * statuses count as a refusal only if the body is JSON, because a gateway's error page proves nothing.
 */
function toOutcome(call: Call, status: number, json: boolean): PrintOutcome {
  const { operation, kind, method, host, isCharged = false } = call;
  if (status === 401 || status === 403) return 'account_refused';
  // A refused payment does not prove that the service created no order. For what is not charged, only a JSON body proves it.
  const isUnpaid = status === 402 && !isCharged && (kind !== 'create' || json);
  if (status === 429 || isUnpaid) return kind === 'read' ? 'unavailable' : 'nothing_made';
  if (kind === 'create') return CREATE_REFUSAL_STATUSES.has(status) && json ? 'refused' : 'unclear';
  if (status < 400 || status >= 500 || status === 408) return toUnclearOutcome(kind);
  // Quote and search requests name no order, so a 404 response is either a refusal by the service or a gateway's error page.
  if (kind === 'read' && method === 'POST') return json ? 'refused' : 'unavailable';
  if (status !== 404) return 'refused';
  // Platen relies on a 404 from these calls as proof that an order, store product or template does not exist. Without a JSON body, the
  // response may be a gateway's error page, which proves nothing.
  const isProof = host === 'legacy' || host === 'legacyTest' || PROOF_OPERATIONS.has(operation);
  return kind === 'read' && isProof && !json ? 'unavailable' : 'not_found';
}

function toUnclearOutcome(kind: CallKind): PrintOutcome {
  return kind === 'read' ? 'unavailable' : 'unclear';
}
