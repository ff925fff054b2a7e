import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mergeRuns, chooseFilesToRerun, type TestFile } from './choose-files-to-rerun.ts';

/**
 * Runs vitest and prints a last line that any CI can read: `N passed, N failed`. `--deep` runs the flows and the pages, `--crash` the tests
 * that kill processes at every step, and `--full` the tests that take too long to run at each change. With `PLATEN_TEST_RETRY=1`, if only a few files have failed, these files are run once
 * more, alone on the machine.
 */

interface Run {
  files: TestFile[];
  /** Errors outside of tests count too, so a run in which every test passes may still fail. */
  hasStrayErrors: boolean;
}

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs');
const KINDS = ['deep', 'crash', 'full'];

const given = process.argv.slice(2);
const env = { ...process.env };
const isKind = (argument: string): boolean => KINDS.includes(argument.replace('--', ''));
const kind = given.find(isKind);
if (kind !== undefined) env['PLATEN_TEST_KIND'] = kind.replace('--', '');

const first = runVitest(given.filter((argument) => !isKind(argument)));
const again = process.env['PLATEN_TEST_RETRY'] === '1' ? chooseFilesToRerun(first.files) : [];
if (again.length > 0) console.log(`Run once more, alone: ${again.join(', ')}`);
const second = again.length > 0 ? runVitest(['--maxWorkers=1', ...again]) : null;
const { passed, failed, recovered } = mergeRuns(first.files, second?.files ?? []);
for (const name of recovered) console.log(`${name} failed in parallel and passed alone: fix its waiting.`);
const isGood = failed === 0 && passed > 0 && !first.hasStrayErrors && second?.hasStrayErrors !== true;
console.log(`${passed} passed, ${isGood ? 0 : Math.max(1, failed)} failed`);
process.exitCode = isGood ? 0 : 1;

/** Runs vitest once, with its output on the terminal, and returns the report of each file. */
function runVitest(args: readonly string[]): Run {
  const folder = mkdtempSync(join(tmpdir(), 'platen-report-'));
  const report = join(folder, 'report.json');
  const all = [VITEST, 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...args];
  const { status } = spawnSync(process.execPath, all, { stdio: ['ignore', 'inherit', 'inherit'], env, cwd: ROOT });
  try {
    const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as { testResults: TestFile[] };
    const files = testResults.map((file) => ({ ...file, name: relative(ROOT, file.name) }));
    return { files, hasStrayErrors: status !== 0 && files.every((file) => file.status === 'passed') };
  } catch {
    return { files: [], hasStrayErrors: true };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
