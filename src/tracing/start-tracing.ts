import type { Log } from '../log.ts';
import type { TracingOptions } from './tracing-options.ts';
import { createTrace, type Trace } from './work.ts';
import { systemClock, withinTime } from '../clock.ts';

export interface Tracing {
  trace: Trace;
  /** Exports the waiting spans, for at most two seconds. Never rejects. */
  close(): Promise<void>;
}

const CLOSE_MS = 2_000;

/** Starts to export traces. The exporter's packages are loaded only here, so that a process without traces never loads them. */
export async function startTracing(options: TracingOptions, log: Log): Promise<Tracing> {
  const { createExport } = await import('./export-work.ts');
  const { exportWork, close } = createExport(options, log);
  log.info({ endpoint: new URL(options.endpoint).origin }, 'traces are exported');
  return {
    trace: createTrace((work, order) => {
      try {
        exportWork(work, order);
      } catch (error) {
        // A trace must never make a job or a request fail.
        log.warn({ error }, 'a trace could not be exported');
      }
    }),
    close: () => withinTime(systemClock, { work: close(), milliseconds: CLOSE_MS, late: () => undefined }),
  };
}
