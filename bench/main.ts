import { availableParallelism, cpus, totalmem } from 'node:os';
import { HELP, parseBenchArguments, type BenchArguments, type Part } from './arguments.ts';
import { toTable } from './table.ts';
import { measureWay } from './way.ts';

/** How each part is measured, given the number of orders or nothing. */
const MEASURES: Partial<Record<Part, (orders: number | undefined) => Promise<object>>> = {
  way: measureWay,
};

async function main(args: BenchArguments): Promise<void> {
  const machine = {
    cores: availableParallelism(),
    processor: cpus()[0]?.model ?? 'unknown',
    memoryGb: Math.round(totalmem() / 1024 ** 3),
    node: process.version,
  };
  const results: Record<string, object> = { machine };
  for (const part of args.parts) {
    const measured = await MEASURES[part]?.(args.orders ?? undefined);
    if (measured !== undefined) results[part] = measured;
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
