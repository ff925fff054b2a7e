import { Gauge, type Registry } from 'prom-client';
import type { App } from '../../app.ts';
import { readQueue } from '../../jobs/read-queue.ts';
import { countOpenOrders } from '../../orders/lists/count-open-orders.ts';
import { readQuietUntil } from '../../shops/print-account/read-quiet-until.ts';
import { withTimeLimit } from '../with-time-limit.ts';
import { shareRead } from './share-read.ts';

const READ_MS = 2_000;

/** Adds gauges for open work: orders, holds, jobs and the quiet time. A value that cannot be read is NaN or omitted. */
export function addWorkMetrics(registry: Registry, app: App): void {
  const registers = [registry];
  const readOrders = shareRead(() => withTimeLimit(app.clock, countOpenOrders(app), READ_MS));
  const readJobs = shareRead(() => withTimeLimit(app.clock, readQueue(app.db), READ_MS));
  void new Gauge({
    name: 'platen_orders',
    help: 'Open orders of installed shops by state: held, waiting, printing.',
    labelNames: ['state'],
    registers,
    async collect() {
      this.reset();
      for (const [state, count] of Object.entries((await readOrders())?.orders ?? {})) this.set({ state }, count);
    },
  });
  void new Gauge({
    name: 'platen_open_holds',
    help: 'Open holds of installed shops by code.',
    labelNames: ['code'],
    registers,
    async collect() {
      this.reset();
      for (const [code, count] of Object.entries((await readOrders())?.holds ?? {})) this.set({ code }, count);
    },
  });
  void new Gauge({
    name: 'platen_jobs_due',
    help: 'Jobs that are due and that no worker has started.',
    registers,
    async collect() {
      this.set((await readJobs())?.due ?? Number.NaN);
    },
  });
  void new Gauge({
    name: 'platen_jobs_oldest_due_seconds',
    help: 'Seconds that the oldest due job has been waiting.',
    registers,
    async collect() {
      this.set((await readJobs())?.oldestSeconds ?? Number.NaN);
    },
  });
  void new Gauge({
    name: 'platen_quiet_seconds',
    help: 'Seconds until the quiet time after a restore ends, or 0. No order is sent to print before then.',
    registers,
    async collect() {
      this.set(await withTimeLimit(app.clock, readQuietSeconds(app), READ_MS).catch(() => Number.NaN));
    },
  });
}

async function readQuietSeconds(app: App): Promise<number> {
  const quietUntil = await readQuietUntil(app);
  return quietUntil === null ? 0 : Math.max(0, (quietUntil.getTime() - app.clock.now().getTime()) / 1000);
}
