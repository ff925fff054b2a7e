import type { SpanExporter } from '@opentelemetry/sdk-trace';
import type { Log } from '../log.ts';
import { systemClock } from '../clock.ts';

/** The exporter's result code for success. */
const SUCCESS = 0;
/** After this time, an export counts as failed even if the exporter has not reported its end. */
const MAX_EXPORT_MS = 30_000;
const CODE = /^[A-Za-z0-9_]{1,64}$/;

interface CountedExports {
  exporter: SpanExporter;
  /** Counts spans that will be exported. Returns false, and counts them as lost, if `most` spans are already waiting. */
  admit(spans: number, most: number): boolean;
}

/** Wraps an exporter: counts the spans that wait, and logs one line when the first spans are lost and one when exports succeed again. */
export function countExports(exporter: SpanExporter, log: Log): CountedExports {
  let waiting = 0;
  let lost = 0;

  function recordLoss(spans: number, reason: string): void {
    if (lost === 0)
      log.warn({ reason }, 'traces cannot be exported, so their spans are lost until the receiver responds');
    lost += spans;
  }

  function settle(spans: number, reason: string | null): void {
    waiting -= spans;
    if (reason !== null) return recordLoss(spans, reason);
    if (lost > 0) log.info({ lostSpans: lost }, 'traces are exported again');
    lost = 0;
  }

  return {
    exporter: {
      export(spans, onResult) {
        let isSettled = false;
        const settleOnce: typeof onResult = (result) => {
          if (isSettled) return;
          isSettled = true;
          cancel();
          settle(spans.length, result.code === SUCCESS ? null : toReason(result.error));
          onResult(result);
        };
        const cancel = systemClock.after(MAX_EXPORT_MS, () => settleOnce({ code: 1 }));
        exporter.export(spans, settleOnce);
      },
      shutdown: () => exporter.shutdown(),
    },
    admit(spans, most) {
      if (waiting >= most) {
        recordLoss(spans, 'queue_full');
        return false;
      }
      waiting += spans;
      return true;
    },
  };
}

/** Returns the HTTP status or the system's error code. The error's message is not logged, because it may repeat the receiver's response. */
function toReason(error: Error | undefined): string {
  const { code } = (error ?? {}) as { code?: unknown };
  const text = typeof code === 'number' || typeof code === 'string' ? String(code) : '';
  return CODE.test(text) ? text : 'failed';
}
