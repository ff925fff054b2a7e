import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, realpath, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

const MODULES = fileURLToPath(new URL('../node_modules', import.meta.url));
const CLI = fileURLToPath(new URL('../node_modules/@shopify/cli/bin/run.js', import.meta.url));
const MAX_COMMAND_MS = 60_000;
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;
/** With a lock file, doctor would query the npm registry for known vulnerabilities, so an unchanged commit could fail on any day. */
const EXCLUDED_FILES = new Set(['package-lock.json']);

/** A copy of an app, in which Shopify's CLI runs offline and without a login. */
export interface AppCopy extends AsyncDisposable {
  folder: string;
  /** Runs a command on the app. */
  run(...args: string[]): Promise<CliResult>;
  /** Runs a command on one of the app's folders. */
  runIn(path: string, ...args: string[]): Promise<CliResult>;
}

interface CliResult {
  /** The exit code, or the signal that ended the command. */
  code: string;
  stdout: string;
  /** Everything that the command printed. */
  output: string;
}

/**
 * Copies all files that git tracks or would add, because the CLI writes files next to those it reads. The copy is deleted when it is
 * disposed.
 */
export async function copyApp(root: string): Promise<AppCopy> {
  const home = await realpath(await mkdtemp(join(tmpdir(), 'platen-shopify-')));
  const folder = join(home, 'app');
  const copy: AppCopy = {
    folder,
    run: (...args) => runCli([...args, '--path', folder], home),
    runIn: (path, ...args) => runCli([...args, '--path', join(folder, path)], home),
    [Symbol.asyncDispose]: () => rm(home, { recursive: true, force: true }),
  };
  try {
    await copyKnownFiles(root, folder);
    // The extensions import their libraries from here.
    await symlink(MODULES, join(folder, 'node_modules'));
    return copy;
  } catch (error) {
    await copy[Symbol.asyncDispose]();
    throw error;
  }
}

/** Builds the app's extensions in the copy. Returns the problem, or null. A build must not leave files that git would add or has changed. */
export async function buildApp(app: AppCopy): Promise<string | null> {
  // The repository is outside of the copy, whose files the CLI checks.
  const git = async (...args: string[]): Promise<string> => {
    const place = [`--git-dir=${app.folder}.git`, `--work-tree=${app.folder}`];
    return (await run('git', [...place, ...args], { cwd: app.folder, maxBuffer: MAX_OUTPUT_BYTES })).stdout;
  };
  await git('init', '--quiet');
  await git('add', '--all');
  const { code, output } = await app.run('app', 'build', '--skip-dependencies-installation');
  if (code !== '0') return `app build ended with ${code}:\n${output}`;
  const left = await git('ls-files', '--modified', '--others', '--exclude-standard');
  return left === '' ? null : `app build left these files behind, which .gitignore must name:\n${left}`;
}

async function copyKnownFiles(root: string, target: string): Promise<void> {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const { stdout } = await run('git', args, { cwd: root, maxBuffer: MAX_OUTPUT_BYTES });
  await mkdir(target);
  for (const name of new Set(stdout.split('\0'))) {
    // Git lists a deleted file until its removal is committed.
    const isThere = name !== '' && (await stat(join(root, name)).catch(() => null))?.isFile();
    if (isThere && !EXCLUDED_FILES.has(name)) await cp(join(root, name), join(target, name));
  }
}

/** Uses a separate home folder, where the CLI stores its settings. */
async function runCli(args: string[], home: string): Promise<CliResult> {
  const env = {
    PATH: process.env['PATH'],
    HOME: home,
    TMPDIR: home,
    CI: '1',
    SHOPIFY_CLI_NO_ANALYTICS: '1',
    FORCE_COLOR: '0',
    NO_COLOR: '1',
  };
  const limits = { timeout: MAX_COMMAND_MS, maxBuffer: MAX_OUTPUT_BYTES };
  try {
    const { stdout, stderr } = await run(process.execPath, [CLI, ...args], { cwd: home, env, ...limits });
    return { code: '0', stdout, output: stdout + stderr };
  } catch (error) {
    const { code, signal, stdout = '', stderr = '' } = error as Partial<ExecFailure>;
    return { code: String(code ?? signal), stdout, output: (stdout + stderr).trim() };
  }
}

interface ExecFailure {
  code: number | string | null;
  signal: string | null;
  stdout: string;
  stderr: string;
}
