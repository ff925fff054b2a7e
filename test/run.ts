import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Runs vitest and prints a last line that any CI can read: `N passed, N failed`. `--deep`: the tests that take longer; `--crash`: those that kill processes, at every step. */

interface Report {
  numPassedTests: number;
  numFailedTests: number;
  numFailedTestSuites: number;
  success: boolean;
}

const isDeep = process.argv.includes('--deep');
const isCrash = process.argv.includes('--crash');
const rest = process.argv.slice(2).filter((argument) => argument !== '--deep' && argument !== '--crash');
const folder = mkdtempSync(join(tmpdir(), 'platen-report-'));
const report = join(folder, 'report.json');
const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));
const args = [vitest, 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...rest];
const env = {
  ...process.env,
  ...(isDeep ? { PLATEN_TEST_DEEP: '1' } : {}),
  ...(isCrash ? { PLATEN_TEST_CRASH: '1' } : {}),
};
const { status } = spawnSync(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'], env });

let exitCode = status ?? 1;
try {
  const { numPassedTests, numFailedTests, numFailedTestSuites, success } = JSON.parse(
    readFileSync(report, 'utf8'),
  ) as Report;
  // A file that could not be loaded has no test that failed, and fails all the same.
  const failed = Math.max(numFailedTests, success ? 0 : Math.max(1, Math.min(numFailedTestSuites, 1)));
  console.log(`${numPassedTests} passed, ${failed} failed`);
  if (!success) exitCode ||= 1;
} catch {
  console.log('0 passed, 1 failed');
  exitCode ||= 1;
}
rmSync(folder, { recursive: true, force: true });
process.exitCode = exitCode;
