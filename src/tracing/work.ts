import { AsyncLocalStorage } from 'node:async_hooks';
import { PlatenError } from '../errors.ts';
import type { OutgoingCall } from '../outgoing-call.ts';
import { systemClock } from '../clock.ts';

export type Attributes = Record<string, string | number | boolean>;

/** The order that a trace is about: the shop's domain, and the digits of the order's ID in the store. */
export interface TracedOrder {
  shop: string;
  orderId: string;
}

/** A step of an order's history, such as `submitted`, and a code that explains it, such as a hold's code. */
interface SpanEvent {
  name: string;
  code: string | null;
  atMs: number;
}

/** `request`: a request to Platen. `job`: a job of the queue. `step`: a part of a job. `call`: one request to another service. */
export type SpanKind = 'request' | 'job' | 'step' | 'call';

/** A measured part of some work. It contains names, codes and IDs, but never personal data, a secret or an error's message. */
export interface Span {
  name: string;
  kind: SpanKind;
  /** Milliseconds since 1970, with fractions. */
  startMs: number;
  endMs: number;
  attributes: Attributes;
  /** The code of the error with which the part ended, or null. */
  error: string | null;
  events: SpanEvent[];
  children: Span[];
}

/** A request or a job. Its trace is known only after the work has read which order it is about. */
export interface Work {
  span: Span;
  order: TracedOrder | null;
  /** True if the work was about more than one order. It then belongs to no trace. */
  hasSeveralOrders: boolean;
  /** The number of spans and events that may still be added. */
  room: number;
}

/** Measures some work. `run` may change the span that it receives. The span is null if nothing is traced. */
export type Trace = <Result>(
  begun: Pick<Span, 'name' | 'kind' | 'attributes'>,
  run: (span: Span | null) => Promise<Result>,
) => Promise<Result>;

/** The outcomes of a successful call. */
const SUCCESSES: ReadonlySet<string> = new Set(['ok', 'done']);
/** The maximum number of spans and events of one piece of work, which limits its memory and its export. */
const MAX_PARTS = 500;
const CODE = /^[a-z][a-z0-9_]{0,63}$/;

const current = new AsyncLocalStorage<{ work: Work; span: Span }>();

/** Runs work without measuring it. */
export const untraced: Trace = (_begun, run) => run(null);

/** Returns a function that measures work and passes it to `onEnd`, if the work was about one order. */
export function createTrace(onEnd: (work: Work, order: TracedOrder) => void): Trace {
  return async ({ name, kind, attributes }, run) => {
    const span = beginSpan(name, kind, attributes);
    const work: Work = { span, order: null, hasSeveralOrders: false, room: MAX_PARTS };
    try {
      return await measure(work, span, run);
    } finally {
      if (work.order !== null && !work.hasSeveralOrders) onEnd(work, work.order);
    }
  };
}

/** Whether the current work is measured. */
export function isTraced(): boolean {
  return current.getStore() !== undefined;
}

/** Measures a part of the current work. */
export async function traceStep<Result>(name: string, run: () => Promise<Result>): Promise<Result> {
  const now = current.getStore();
  if (now === undefined || !reserveRoom(now.work)) return run();
  const span = beginSpan(name, 'step', {});
  now.span.children.push(span);
  return measure(now.work, span, run);
}

/** Records which order the current work is about. */
export function setTracedOrder({ shop, orderId }: TracedOrder): void {
  const work = current.getStore()?.work;
  if (work === undefined) return;
  const order = { shop, orderId: orderId.slice(orderId.lastIndexOf('/') + 1) };
  work.hasSeveralOrders ||= work.order !== null && (work.order.shop !== shop || work.order.orderId !== order.orderId);
  work.order = order;
}

/** Adds attributes to the current span. */
export function addAttributes(attributes: Attributes): void {
  const span = current.getStore()?.span;
  if (span) Object.assign(span.attributes, attributes);
}

/**
 * Adds the order's new events to the current span. A value that is not in the form of a code is omitted, because it may quote a service.
 */
export function addEventsToSpan(events: readonly { kind: string; code: unknown }[]): void {
  const now = current.getStore();
  if (now === undefined) return;
  for (const { kind, code } of events) {
    if (!reserveRoom(now.work)) return;
    const known = typeof code === 'string' && CODE.test(code) ? code : null;
    now.span.events.push({ name: kind, code: known, atMs: systemClock.now().getTime() });
  }
}

/** Returns a function that removes the events added since this call. Call it after a rollback of the changes that they report. */
export function markEvents(): () => void {
  const span = current.getStore()?.span;
  const length = span?.events.length ?? 0;
  return () => void span?.events.splice(length);
}

/** Adds a request that has just ended to the current span. */
export function addCallToSpan(service: 'print' | 'shopify', call: OutgoingCall): void {
  const now = current.getStore();
  if (now === undefined || !reserveRoom(now.work)) return;
  const { operation, method, status, outcome, durationMs, attempt } = call;
  const endMs = systemClock.now().getTime();
  now.span.children.push({
    ...beginSpan(`${service} ${operation}`, 'call', {
      'peer.service': service,
      'http.request.method': method,
      ...(status === null ? {} : { 'http.response.status_code': status }),
      ...(attempt > 1 ? { 'http.request.resend_count': attempt - 1 } : {}),
      'platen.outcome': outcome,
    }),
    startMs: endMs - durationMs,
    endMs,
    error: SUCCESSES.has(outcome) ? null : outcome,
  });
}

function beginSpan(name: string, kind: SpanKind, attributes: Attributes): Span {
  const startMs = systemClock.now().getTime();
  return { name, kind, startMs, endMs: startMs, attributes: { ...attributes }, error: null, events: [], children: [] };
}

async function measure<Result>(work: Work, span: Span, run: (span: Span) => Promise<Result>): Promise<Result> {
  const startedAt = systemClock.ticks();
  try {
    return await current.run({ work, span }, () => run(span));
  } catch (error) {
    span.error = error instanceof PlatenError ? error.code : 'fault';
    throw error;
  } finally {
    span.endMs = span.startMs + (systemClock.ticks() - startedAt);
  }
}

function reserveRoom(work: Work): boolean {
  work.room -= 1;
  return work.room >= 0;
}
