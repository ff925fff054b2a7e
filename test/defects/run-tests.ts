import { join } from 'node:path';
import type { Reporter, Vitest } from 'vitest/node';
import { startVitest } from 'vitest/node';

/**
 * Runs the tests of a file whose titles match, in the tree where it is started, until one fails. The last line of standard output says
 * what became of them: a test that failed, with what its assertion said, is something else than a file that could not be run.
 */

/** What became of the tests, as the last line has it. */
export interface TestsRan {
  passed: number;
  /** What each failed test said. */
  failed: string[];
  /** What failed outside of the tests. */
  broken: string[];
}

interface Said {
  name?: string;
  message: string;
  cause?: Said;
}

const GENERATED = /^Property failed/;

const [file = '', title = ''] = process.argv.slice(2);
const ran: TestsRan = { passed: 0, failed: [], broken: [] };
let vitest: Vitest | null = null;

const reporter: Reporter = {
  onInit(started) {
    vitest = started;
  },
  onTestCaseResult(testCase) {
    const { state, errors } = testCase.result();
    if (state === 'passed') ran.passed += 1;
    if (state === 'failed') ran.failed.push(...errors.map(say));
  },
  onTestRunEnd(modules, unhandled) {
    ran.broken.push(...[...modules.flatMap((one) => one.errors()), ...unhandled].map(say));
  },
};

/** The first line of an error. A generated run tells how it was generated, and what it found in the cause. */
function say(error: Said): string {
  const { name = 'Error', message } = GENERATED.test(error.message) && error.cause ? error.cause : error;
  const [line = ''] = message.split('\n');
  // An assertion speaks for itself; a program that breaks is told by the name of its error.
  return ['Error', 'AssertionError'].includes(name) ? line : `${name}: ${line}`;
}

// What asks it to end is told nothing; the database of the tests is stopped.
process.once('SIGTERM', () => void Promise.resolve(vitest?.close()).finally(() => process.exit(1)));

const started = await startVitest(
  [file],
  { run: true, watch: false, bail: 1, testNamePattern: title, reporters: [reporter] },
  // The packages are shared with the working tree, and nothing is to be left among them.
  { cacheDir: join(process.cwd(), '.vite') },
);
await started.close();
process.stdout.write(`${JSON.stringify(ran)}\n`);
