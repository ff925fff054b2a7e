import { fork, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { parseSimulateArguments, USAGE, type SimulateArguments } from './arguments.ts';
import type { Tried } from './try-seed.ts';
import type { Reply, Task } from './worker.ts';

const WORKERS = 2;
/** A seed whose worker does not respond for this long hangs. A failed seed runs several times, to find its smallest prefix. */
const MAX_SEED_MS = 1_200_000;
/** The workers keep both cores busy, so additional threads of V8 would only slow them down. */
const V8_FLAGS = [
  '--max-semi-space-size=64',
  '--min-semi-space-size=64',
  '--single-threaded-gc',
  '--no-concurrent-recompilation',
  '--always-sparkplug',
];
/** Ends all workers. */
const ending = new AbortController();
const write = (line: string): void => void process.stdout.write(`${line}\n`);

/** The sums of a run. */
interface Totals {
  seeds: number;
  failed: number[];
  orderDays: number;
  found: Record<string, number>;
}

function toCommand({ orders }: SimulateArguments, { seed, smallest, events }: Tried): string {
  const count = smallest?.events ?? events;
  return `npm run simulate -- --seeds 1 --from ${seed} --orders ${orders} --events ${count}`;
}

function report(args: SimulateArguments, tried: Tried, seconds: number, totals: Totals): void {
  const { seed, hash, steps, days, findings } = tried;
  const isOk = findings.length === 0;
  totals.seeds += 1;
  totals.orderDays += days * args.orders;
  if (!isOk) totals.failed.push(seed);
  for (const rule of new Set(findings.map((one) => one.rule))) totals.found[rule] = (totals.found[rule] ?? 0) + 1;
  if (args.json) {
    const line = { seed, ok: isOk, hash, steps, days, seconds, findings };
    write(JSON.stringify(isOk ? line : { ...line, replay: toCommand(args, tried) }));
    return;
  }
  const figures = `${steps} steps, ${days.toFixed(1)} days, ${seconds.toFixed(1)} s`;
  write(`${isOk ? 'ok    ' : 'FAILED'}  ${seed}  ${hash}  ${figures}`);
  if (isOk) return;
  const shown = tried.smallest ?? tried;
  write(shown.story.join('\n'));
  for (const { rule, evidence } of shown.findings) write(`    ${rule}: ${evidence}`);
  write(`    again: ${toCommand(args, tried)}`);
}

/** A worker and its database take turns, so both are fastest on the same core. Where `taskset` is missing, they run on any core. */
function keepOnCore({ pid }: ChildProcess, core: number): void {
  spawnSync('taskset', ['--cpu-list', '--pid', String(core), String(pid)]);
}

/** Runs seeds in a separate process until none is left. */
async function work(nth: number, args: SimulateArguments, seeds: Iterator<number>, totals: Totals): Promise<void> {
  const child = fork(fileURLToPath(new URL('./worker.ts', import.meta.url)), {
    // A single thread finishes its work, such as signatures, in the order in which it was given.
    env: { ...process.env, UV_THREADPOOL_SIZE: '1' },
    execArgv: V8_FLAGS,
  });
  keepOnCore(child, nth);
  const exited = once(child, 'exit');
  ending.signal.addEventListener('abort', () => child.connected && child.disconnect());
  let running: number | undefined;
  const deadline = setTimeout(() => child.kill('SIGKILL'), MAX_SEED_MS);
  const next = (): void => {
    const { value: seed } = seeds.next() as { value: number | undefined };
    running = seed;
    deadline.refresh();
    if (seed === undefined) child.disconnect();
    else {
      const { orders, events: limit, runs, trace, untilFailure } = args;
      child.send({
        seed,
        orders,
        limit,
        runs,
        trace,
        shrinks: limit === null && !untilFailure,
      } satisfies Task);
    }
  };
  child.on('message', (message: Reply) => {
    if (message.kind === 'tried') report(args, message.tried, message.seconds, totals);
    if (args.untilFailure && totals.failed.length > 0) ending.abort();
    else next();
  });
  const [code] = (await exited) as [number | null];
  clearTimeout(deadline);
  if (code !== 0) throw new Error(`A worker ended with the code ${code} while it ran seed ${running}.`);
}

/** Returns whether no seed failed. */
async function main(args: SimulateArguments): Promise<boolean> {
  const totals: Totals = { seeds: 0, failed: [], orderDays: 0, found: {} };
  const begun = performance.now();
  const seeds = Array.from({ length: args.seeds }, (_, nth) => args.from + nth).values();
  await Promise.all(Array.from({ length: Math.min(WORKERS, args.seeds) }, (_, nth) => work(nth, args, seeds, totals)));
  const seconds = (performance.now() - begun) / 1000;
  const orderDaysPerSecond = Math.round(totals.orderDays / seconds);
  write(
    JSON.stringify({
      ok: totals.failed.length === 0,
      ...totals,
      orderDays: Math.round(totals.orderDays),
      seconds: Math.round(seconds),
      orderDaysPerSecond,
    }),
  );
  return totals.failed.length === 0;
}

function readArguments(): SimulateArguments | null {
  try {
    return parseSimulateArguments(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return null;
  }
}

if (process.argv.includes('--help')) write(USAGE);
else {
  const args = readArguments();
  process.exitCode = args === null ? 2 : (await main(args)) ? 0 : 1;
}
