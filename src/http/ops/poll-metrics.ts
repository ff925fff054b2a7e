import { Counter, Gauge, type Registry } from 'prom-client';
import type { PollReadings } from '../../polls/read-poll-passes.ts';
import { shareReading } from './share-reading.ts';

const COUNTED = [
  ['platen_poll_runs_total', 'Passes of the polls that have ended.', 'runs'],
  ['platen_poll_found_total', 'What the polls looked at more closely.', 'found'],
  [
    'platen_poll_mended_total',
    'What the polls found that nothing else had told of: lost webhooks, events and jobs.',
    'mended',
  ],
  [
    'platen_poll_failures_total',
    'Passes of the polls that failed, or left out an account that gave no answer.',
    'failures',
  ],
] as const;

/**
 * Adds what the polls tell, read from the database at each scrape: so every replica tells the same, and a restart forgets nothing. While
 * the database is away they stay what they were.
 */
export function addPollMetrics(registry: Registry, read: () => Promise<PollReadings>): void {
  const registers = [registry];
  const readOnce = shareReading(read);
  for (const [name, help, field] of COUNTED)
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
    help: 'Seconds since a pass last succeeded.',
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
    help: 'Print orders that are not over and that neither a job nor a poll nor a person takes up, by the last daily check.',
    registers,
    async collect() {
      const readings = await read();
      if (readings) this.set(readings.passes.find(({ pass }) => pass === 'check_stuck')?.lastFound ?? 0);
    },
  });
  void new Gauge({
    name: 'platen_silent_shops',
    help: 'Shops of which no delivery of a source arrives though polls find something, by the last daily check.',
    labelNames: ['source'],
    registers,
    async collect() {
      const readings = await read();
      for (const [source, shops] of Object.entries(readings?.silentShops ?? {})) this.set({ source }, shops);
    },
  });
  void new Counter({
    name: 'platen_state_moves_refused_total',
    help: 'Moves of print orders that the table of transitions refused, each kind once a print order.',
    registers,
    async collect() {
      const readings = await read();
      if (!readings) return;
      this.reset();
      this.inc(readings.refusedMoves);
    },
  });
}
