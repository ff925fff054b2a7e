import type { Agent } from 'undici';
import type { Clock } from '../../clock.ts';
import type { OutgoingCall } from '../../outgoing-call.ts';
import { PrintServiceError } from '../errors.ts';
import type { CallLimits } from './limit-calls.ts';
import { sendRequest, type HttpResult } from './request.ts';
import type { PrintCall, PrintHost, Send } from './send.ts';
import { toInvalidRequestError, toPrintError } from './to-print-error.ts';

const MAX_RETRIES = 2;
const FIRST_PAUSE_MS = 200;
const KEY = /^[\x21-\x7e]+$/;
const RETRYABLE_STATUSES = new Set([502, 503, 504]);
// Error codes of connections that broke or were never opened. Timeouts are excluded, because they leave no time for a retry.
const SYSTEM_CODE = /^E[A-Z]+$/;
const RETRYABLE_CODES = new Set([
  'EAI_AGAIN',
  'UND_ERR_SOCKET',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
]);

/** A host's address at the service: an origin, and a path that precedes each call's path. */
export interface Address {
  origin: string;
  prefix: string;
}

/** Called for every request. `outcome` is `done` or the error's outcome. */
export type OnCall = (call: OutgoingCall) => void;

interface SendContext {
  clock: Clock;
  agent: Agent;
  addresses: Record<PrintHost, Address | null>;
  limits: CallLimits;
  timeoutMs: number;
  onCall: OnCall | undefined;
  /** Identifies the caller among those that share the key. See `CallLimits.run`. */
  lane?: string | undefined;
}

/**
 * Returns a function that sends an account's calls. Only reads and deletions of drafts are retried, at most twice within the call's
 * timeout. A call is retried if the connection broke, or if a gateway responded with 502, 503 or 504 and no Retry-After. Each request waits
 * for its turn among the requests that use the same key, for at most half of the call's remaining time.
 */
export function createSend(context: SendContext, key: string): Send {
  const { clock } = context;
  return async function send<Answer>(call: PrintCall<Answer>): Promise<Answer> {
    const { operation, method, host } = call;
    const address = context.addresses[host];
    if (address === null) {
      throw new PrintServiceError({
        operation,
        outcome: 'refused',
        reason: `not sent because no address is set for ${host}`,
      });
    }
    if (!KEY.test(key)) {
      const reason = 'not sent because the key is malformed';
      throw new PrintServiceError({ operation, outcome: 'account_refused', reason, problem: 'unauthorized' });
    }
    const body = toBody(call);
    const deadline = clock.ticks() + context.timeoutMs;
    for (let retries = 0; ; retries += 1) {
      let started = clock.ticks();
      // A request may wait for its turn for half of the remaining time. The other half is reserved for the response, because the outcome of
      // a request that starts just before the timeout would be unclear.
      const waitUntil = Math.min((started + deadline) / 2, call.sendDeadline ?? Infinity);
      const sendNow = () => {
        started = clock.ticks();
        return sendOnce(context, address, key, call, body, Math.max(0, deadline - started));
      };
      const result = await context.limits.run(key, waitUntil, sendNow, context.lane);
      const answer = isSuccess(result) ? call.read(result.text) : { field: null };
      const error = 'value' in answer ? null : toPrintError(call, result, clock.now(), answer.field);
      if (error !== null) error.isDuringOutage = error.retryable && context.limits.isOut(key);
      const durationMs = clock.ticks() - started;
      const outcome = error?.outcome ?? 'done';
      context.onCall?.({ operation, method, status: result.status, outcome, durationMs, attempt: retries + 1 });
      if ('value' in answer) return answer.value;
      const pauseMs = FIRST_PAUSE_MS * 3 ** retries * (0.5 + Math.random());
      const timeLeft = clock.ticks() + pauseMs < deadline;
      if (error !== null && !(retries < MAX_RETRIES && timeLeft && canRetry(call, result, error))) throw error;
      await clock.sleep(pauseMs);
    }
  };
}

/** Returns the body to send. Throws if the call's own schema rejects it. */
function toBody<Answer>({ operation, body }: PrintCall<Answer>): string | null {
  if (body === undefined) return null;
  const { success, data, error } = body.schema.safeParse(body.value);
  if (!success) throw toInvalidRequestError(operation, error);
  return JSON.stringify(data);
}

function sendOnce<Answer>(
  { agent, clock }: SendContext,
  { origin, prefix }: Address,
  key: string,
  { path, method, sendDeadline }: PrintCall<Answer>,
  body: string | null,
  timeoutMs: number,
): Promise<HttpResult> {
  return sendRequest(agent, clock, { origin, path: prefix + path, method, key, body, timeoutMs, sendDeadline });
}

function isSuccess(result: HttpResult): result is Extract<HttpResult, { status: number }> {
  return result.status !== null && result.status >= 200 && result.status < 300;
}

function canRetry({ kind }: PrintCall<unknown>, result: HttpResult, error: PrintServiceError): boolean {
  if (kind !== 'read' && kind !== 'delete') return false;
  if (result.status === null) return SYSTEM_CODE.test(result.code) || RETRYABLE_CODES.has(result.code);
  return RETRYABLE_STATUSES.has(result.status) && error.retryAfterSeconds === null;
}
