import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, type Context, type Tracer } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  RandomIdGenerator,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type IdGenerator,
  type Sampler,
} from '@opentelemetry/sdk-trace';
import type { Log } from '../log.ts';
import { countExports } from './count-exports.ts';
import { toTraceIds, type TraceIds } from './to-trace-ids.ts';
import type { Sampling, TracingOptions } from './tracing-options.ts';
import type { Span, SpanKind as Kind, TracedOrder, Work } from './work.ts';

/** The maximum number of spans that wait for the receiver. Work that ends while this many are waiting is not exported. */
const MAX_WAITING = 4_096;
/** Leaves room for all spans of the last piece of work that is still accepted, so the queue never drops a part of it. */
const QUEUE = 2 * MAX_WAITING;
/** The timeline entry with which an order begins. */
const FIRST_EVENT = 'received';

const KINDS: Record<Kind, SpanKind> = {
  request: SpanKind.SERVER,
  job: SpanKind.CONSUMER,
  step: SpanKind.INTERNAL,
  call: SpanKind.CLIENT,
};

interface Export {
  exportWork: (work: Work, order: TracedOrder) => void;
  close: () => Promise<void>;
}

/**
 * Creates the export of finished work over OTLP. Every piece of work becomes a part of its order's trace, below the order's own span. The
 * work that records the order's first event exports that span. Exports run in the background. A failed export only loses its spans.
 */
export function createExport(options: TracingOptions, log: Log): Export {
  const counted = countExports(
    new OTLPTraceExporter({ url: `${options.endpoint}/v1/traces`, headers: options.headers }),
    log,
  );
  const ids = new OrderIdGenerator();
  const provider = new TracerProvider({
    resource: resourceFromAttributes(options.resource),
    sampler: new ParentBasedSampler({ root: toSampler(options.sampling) }),
    idGenerator: ids,
    spanProcessors: [new BatchSpanProcessor({ exporter: counted.exporter, maxQueueSize: QUEUE })],
  });
  const tracer = provider.getTracer('platen');
  return {
    exportWork(work, order) {
      const about = { 'platen.shop': order.shop, 'platen.order.id': order.orderId };
      const isFirst = hasEvent(work.span, FIRST_EVENT);
      // The order's span has the same IDs in every process, but only one process ends it, and only ended spans are exported.
      ids.next = toTraceIds(options.app, order);
      const root = tracer.startSpan(
        'order',
        { root: true, startTime: work.span.startMs, attributes: about },
        ROOT_CONTEXT,
      );
      if (!root.isRecording()) return;
      const spans = countSpans(work.span) + (isFirst ? 1 : 0);
      if (!counted.admit(spans, MAX_WAITING)) return;
      if (isFirst) root.end(work.span.endMs);
      if (work.room < 0) work.span.attributes['platen.parts_left_out'] = -work.room;
      Object.assign(work.span.attributes, about);
      createSpans(tracer, work.span, trace.setSpan(ROOT_CONTEXT, root));
    },
    close: () => provider.shutdown().catch(() => undefined),
  };
}

/** Gives the next span the IDs of an order, and all other spans random IDs. */
class OrderIdGenerator implements IdGenerator {
  next: TraceIds | null = null;
  readonly #random = new RandomIdGenerator();

  generateSpanId(): string {
    return this.next?.spanId ?? this.#random.generateSpanId();
  }

  /** The tracer requests a trace ID only for a span without a parent, and after the span's ID. */
  generateTraceId(): string {
    const traceId = this.next?.traceId ?? this.#random.generateTraceId();
    this.next = null;
    return traceId;
  }
}

function toSampler(sampling: Sampling): Sampler {
  if (sampling === 'always_on') return new AlwaysOnSampler();
  return sampling === 'always_off' ? new AlwaysOffSampler() : new TraceIdRatioBasedSampler(sampling.ratio);
}

function createSpans(tracer: Tracer, span: Span, parent: Context): void {
  const { name, kind, startMs, endMs, attributes, error, events, children } = span;
  const created = tracer.startSpan(name, { kind: KINDS[kind], startTime: startMs, attributes }, parent);
  for (const { name: event, code, atMs } of events)
    created.addEvent(event, code === null ? {} : { 'platen.code': code }, atMs);
  if (error !== null) created.setAttribute('error.type', error).setStatus({ code: SpanStatusCode.ERROR });
  const within = trace.setSpan(parent, created);
  for (const child of children) createSpans(tracer, child, within);
  created.end(endMs);
}

function countSpans({ children }: Span): number {
  return children.reduce((sum, child) => sum + countSpans(child), 1);
}

function hasEvent({ events, children }: Span, name: string): boolean {
  return events.some((event) => event.name === name) || children.some((child) => hasEvent(child, name));
}
