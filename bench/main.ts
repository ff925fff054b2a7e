import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import { HELP, parseBenchArguments, type BenchArguments, type Part } from './arguments.ts';
import { measureFlatness } from './flatness.ts';
import { measureFootprint } from './footprint.ts';
import { measureIntake } from './intake.ts';
import { measurePolls } from './polls.ts';
import { measureRates } from './rates.ts';
import { measureReplicas } from './replicas.ts';
import { toTable } from './table.ts';
import { measureOrderProcessing } from './order-processing.ts';

/** The function that measures each part. Without a number of orders, the function uses the part's default. */
const MEASURES: Record<Part, (orders: number | undefined) => Promise<object>> = {
  intake: measureIntake,
  way: measureOrderProcessing,
  flat: measureFlatness,
  polls: measurePolls,
  rates: measureRates,
  footprint: measureFootprint,
  replicas: measureReplicas,
};

async function main(args: BenchArguments): Promise<void> {
  const machine = {
    cores: availableParallelism(),
    processor: cpus()[0]?.model ?? 'unknown',
    memoryGb: Math.round(totalmem() / 1024 ** 3),
    node: process.version,
    // The load average before the run shows whether other work on the machine affects the figures.
    loadBefore: loadavg()[0],
  };
  const results: Record<string, object> = { machine };
  for (const part of args.parts) {
    results[part] = await MEASURES[part](args.orders ?? undefined);
  }
  process.stdout.write(args.json ? `${JSON.stringify(results)}\n` : toTable(results, args));
}

try {
  const args = parseBenchArguments(process.argv.slice(2));
  if (args.help) process.stdout.write(HELP);
  else await main(args);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = 1;
}
