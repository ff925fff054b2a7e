import { fileURLToPath } from 'node:url';
import type { Tree } from './copy-tree.ts';
import { runProgram, type Ran } from './run-program.ts';
import type { TestsRan } from './run-tests.ts';

/** A check that must catch a defect: tests of a file, by a part of their titles, or a chaos run. */
export type Net =
  | { kind: 'test'; file: string; title: string }
  | { kind: 'model'; way: 'draft' | 'direct'; title: string; runs: number; seed: number }
  | { kind: 'chaos'; args: readonly string[] };

/** `clean`: the net passed. `fails`: it failed with its own message. `broken`: it did not finish. */
export interface Outcome {
  is: 'clean' | 'fails' | 'broken';
  said: string;
  seconds: number;
}

/** Time limits that are long enough for a busy machine. */
const LIMIT_MS = { test: 5 * 60_000, model: 10 * 60_000, chaos: 15 * 60_000 };
const RUN_TESTS = fileURLToPath(new URL('./run-tests.ts', import.meta.url));
const MODEL = 'test/model/submit.deep.ts';
/** Counts that must be zero in the summary of a chaos run. */
const ZEROS = [
  'duplicates',
  'lost',
  'wrongLines',
  'wrongTracking',
  'doubledFulfillments',
  'doubleNotifications',
  'moving',
  'spareDrafts',
];
const LAST_LINES = 15;

/** Describes a net in words. */
export function describeNet(net: Net): string {
  if (net.kind === 'chaos') return `chaos run: ${net.args.join(' ')}`;
  if (net.kind === 'model') return `model, ${net.way}: ${net.title} (${net.runs} runs, seed ${net.seed})`;
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
  if (net.kind === 'chaos') return ['test/chaos/main.ts', ...net.args];
  if (net.kind === 'test') return [RUN_TESTS, net.file, literally(net.title)];
  return [RUN_TESTS, MODEL, `${literally(`"${net.way}"`)}.*${literally(net.title)}`];
}

function environmentOf(net: Net): Record<string, string> {
  if (net.kind === 'chaos') return {};
  if (net.kind === 'test') return net.file.endsWith('.deep.ts') ? { PLATEN_TEST_KIND: 'deep' } : {};
  return { PLATEN_TEST_KIND: 'deep', PLATEN_MODEL_RUNS: String(net.runs), PLATEN_MODEL_SEED: String(net.seed) };
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
  return net.kind === 'chaos' ? judgeSummary(result) : judgeTests(result as unknown as TestsRan);
}

function readLastLine({ lastLine, isTimedOut }: Ran): Record<string, unknown> | null {
  if (isTimedOut || !lastLine.startsWith('{')) return null;
  try {
    return JSON.parse(lastLine) as Record<string, unknown>;
  } catch {
    return null;
  }
}

function judgeSummary(summary: Record<string, unknown>): Omit<Outcome, 'seconds'> {
  if (summary['ok'] === true) return { is: 'clean', said: '' };
  const wrong = ZEROS.filter((name) => Number(summary[name]) > 0).map((name) => `${name} ${String(summary[name])}`);
  if (wrong.length > 0) return { is: 'fails', said: wrong.join(', ') };
  return { is: 'fails', said: `held ${String(summary['held'])}` };
}

function judgeTests({ passed, failed, broken }: TestsRan): Omit<Outcome, 'seconds'> {
  const [first] = failed;
  if (first !== undefined) return { is: 'fails', said: first };
  if (broken.length > 0) return { is: 'broken', said: broken.join('\n') };
  // If a title has changed, no test matches, so the net is broken.
  return passed > 0 ? { is: 'clean', said: '' } : { is: 'broken', said: 'no test has this title' };
}
