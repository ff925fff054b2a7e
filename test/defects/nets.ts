import { fileURLToPath } from 'node:url';
import type { Tree } from './copy-tree.ts';
import { runProgram, type Ran } from './run-program.ts';
import type { TestsRan } from './run-tests.ts';

/** A check that must catch a defect: tests of a file, by a part of their titles, or seeds of the simulator. */
export type Net =
  | { kind: 'test'; file: string; title: string }
  /** Runs seeds until one fails. */
  | { kind: 'simulate'; from: number; seeds: number };

/** `clean`: the net passed. `fails`: it failed with its own message. `broken`: it did not finish. */
export interface Outcome {
  is: 'clean' | 'fails' | 'broken';
  said: string;
  seconds: number;
  /** The seed that failed. */
  seed?: number;
}

/** Time limits that are long enough for a busy machine. */
const LIMIT_MS = { test: 5 * 60_000, simulate: 60 * 60_000 };
const RUN_TESTS = fileURLToPath(new URL('./run-tests.ts', import.meta.url));
/** Many seeds with few orders find a defect sooner than few seeds with many. */
const ORDERS = 6;
const LAST_LINES = 15;

/** Describes a net in words. */
export function describeNet(net: Net): string {
  if (net.kind === 'simulate') return `${net.seeds} seeds of the simulator`;
  return `${net.file}: ${net.title}`;
}

/** Runs a net in a tree and ends all processes that it started. Rejects when `signal` is aborted. */
export async function runNet(tree: Tree, net: Net, signal: AbortSignal): Promise<Outcome> {
  const begun = performance.now();
  const environment = { TMPDIR: tree.temporary, ...environmentOf(net) };
  const ran = await runProgram(argumentsOf(net), {
    folder: tree.folder,
    environment,
    limitMs: LIMIT_MS[net.kind],
    signal,
  });
  return { ...judge(net, ran), seconds: Math.round((performance.now() - begun) / 1000) };
}

function argumentsOf(net: Net): string[] {
  if (net.kind === 'test') return [RUN_TESTS, net.file, literally(net.title)];
  return [
    'test/simulate/main.ts',
    '--json',
    '--until-failure',
    '--orders',
    String(ORDERS),
    '--from',
    String(net.from),
    '--seeds',
    String(net.seeds),
  ];
}

function environmentOf(net: Net): Record<string, string> {
  return net.kind === 'test' && net.file.endsWith('.deep.ts') ? { PLATEN_TEST_KIND: 'deep' } : {};
}

function literally(text: string): string {
  return RegExp.escape(text);
}

function judge(net: Net, ran: Ran): Omit<Outcome, 'seconds'> {
  const result = readLastLine(ran);
  if (result === null) {
    const words = ran.errors.trimEnd().split('\n').slice(-LAST_LINES).join('\n');
    return { is: 'broken', said: `${ran.isTimedOut ? 'it took too long' : 'it ended early'}: ${words}` };
  }
  return net.kind === 'simulate'
    ? judgeSeeds(result as unknown as SeedsRan)
    : judgeTests(result as unknown as TestsRan);
}

function readLastLine({ lastLine, isTimedOut }: Ran): Record<string, unknown> | null {
  if (isTimedOut || !lastLine.startsWith('{')) return null;
  try {
    return JSON.parse(lastLine) as Record<string, unknown>;
  } catch {
    return null;
  }
}

/** The summary of a run of the simulator. */
interface SeedsRan {
  ok: boolean;
  seeds: number;
  failed: number[];
  found: Record<string, number>;
}

function judgeSeeds({ ok, seeds, failed, found }: SeedsRan): Omit<Outcome, 'seconds'> {
  if (ok) return { is: 'clean', said: '' };
  const said = `${Object.keys(found).join(', ')} in seed ${failed.join(', ')}, after ${seeds} seeds`;
  return { is: 'fails', said, ...(failed[0] !== undefined && { seed: failed[0] }) };
}

function judgeTests({ passed, failed, broken }: TestsRan): Omit<Outcome, 'seconds'> {
  const [first] = failed;
  if (first !== undefined) return { is: 'fails', said: first };
  if (broken.length > 0) return { is: 'broken', said: broken.join('\n') };
  // If a title has changed, no test matches, so the net is broken.
  return passed > 0 ? { is: 'clean', said: '' } : { is: 'broken', said: 'no test has this title' };
}
