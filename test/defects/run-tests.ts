import { join } from 'node:path';
import type { Reporter, Vitest } from 'vitest/node';
import { startVitest } from 'vitest/node';

/**
 * Runs the tests of a file whose titles match, in the current tree, until one fails. The last line of standard output is the result. The
 * result distinguishes a failed test, with the message of its assertion, from a file that could not be run.
 */

/** The result of the tests, as printed in the last line. */
export interface TestsRan {
  passed: number;
  /** The messages of failed tests. */
  failed: string[];
  /** Errors that occurred outside of the tests. */
  broken: string[];
}

interface Failure {
  name?: string;
  message: string;
  cause?: Failure;
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
    if (state === 'failed') ran.failed.push(...errors.map(summarize));
  },
  onTestRunEnd(modules, unhandled) {
    ran.broken.push(...[...modules.flatMap((one) => one.errors()), ...unhandled].map(summarize));
  },
};

/** Returns the first line of an error. The error of a generated run only describes the run; the actual failure is its cause. */
function summarize(error: Failure): string {
  const { name = 'Error', message } = GENERATED.test(error.message) && error.cause ? error.cause : error;
  const [line = ''] = message.split('\n');
  // The message of an assertion is sufficient, but other errors need their name.
  return ['Error', 'AssertionError'].includes(name) ? line : `${name}: ${line}`;
}

// On SIGTERM, no result is printed, but the database of the tests is stopped.
process.once('SIGTERM', () => void Promise.resolve(vitest?.close()).finally(() => process.exit(1)));

const started = await startVitest(
  [file],
  { run: true, watch: false, bail: 1, testNamePattern: title, reporters: [reporter] },
  // The packages are shared with the working tree, so no cache may be written to their folder.
  { cacheDir: join(process.cwd(), '.vite') },
);
await started.close();
process.stdout.write(`${JSON.stringify(ran)}\n`);
