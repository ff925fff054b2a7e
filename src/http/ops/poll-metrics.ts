import { Counter, Gauge, type Registry } from 'prom-client';
import type { PollReadings } from '../../polls/read-poll-passes.ts';
import { shareRead } from './share-read.ts';

const POLL_COUNTERS = [
  ['platen_poll_runs_total', 'Completed poll passes.', 'runs'],
  ['platen_poll_found_total', 'Possible changes that the polls found and checked.', 'found'],
  [
    'platen_poll_fixed_total',
    'Changes that only a poll found, because a webhook, an event or a job was lost.',
    'fixed',
  ],
  ['platen_poll_failures_total', 'Poll passes that failed or skipped an account that did not respond.', 'failures'],
] as const;

/**
 * Adds the poll metrics. Each scrape reads them from the database, so all replicas report the same values and a restart loses nothing.
 * While the database is unavailable, they show their last values.
 */
export function addPollMetrics(registry: Registry, read: () => Promise<PollReadings>): void {
  const registers = [registry];
  const readOnce = shareRead(read);
  for (const [name, help, field] of POLL_COUNTERS)
    void new Counter({
      name,
      help,
      labelNames: ['pass'],
      registers,
      async collect() {
        const readings = await readOnce();
        if (!readings) return;
        this.reset();
        for (const one of readings.passes) this.inc({ pass: one.pass }, one[field]);
      },
    });
  void new Gauge({
    name: 'platen_poll_last_success_seconds',
    help: 'Seconds since the last successful pass.',
    labelNames: ['pass'],
    registers,
    async collect() {
      const readings = await readOnce();
      for (const { pass, lastSuccess } of readings?.passes ?? [])
        if (lastSuccess !== null) this.set({ pass }, lastSuccess);
    },
  });
  addStateMetrics(registry, readOnce);
}

function addStateMetrics(registry: Registry, read: () => Promise<PollReadings | null>): void {
  const registers = [registry];
  void new Gauge({
    name: 'platen_stuck_print_orders',
    help: 'Print orders that are not done and that no job, poll or person handles, as of the last daily check.',
    registers,
    async collect() {
      const readings = await read();
      if (readings) this.set(readings.passes.find(({ pass }) => pass === 'check_stuck')?.lastFound ?? 0);
    },
  });
  void new Gauge({
    name: 'platen_silent_shops',
    help: 'Shops from which no delivery arrives although polls find changes, by source, as of the last daily check.',
    labelNames: ['source'],
    registers,
    async collect() {
      const readings = await read();
      for (const [source, shops] of Object.entries(readings?.silentShops ?? {})) this.set({ source }, shops);
    },
  });
  void new Counter({
    name: 'platen_state_moves_refused_total',
    help: 'Disallowed print order state transitions, each kind counted once per print order.',
    registers,
    async collect() {
      const readings = await read();
      if (!readings) return;
      this.reset();
      this.inc(readings.rejectedTransitions);
    },
  });
}
