import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, realpath, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { z } from 'zod';

const run = promisify(execFile);

const CLI = fileURLToPath(new URL('../node_modules/@shopify/cli/bin/run.js', import.meta.url));
const COMMAND_MS_AT_MOST = 60_000;
const OUTPUT_BYTES_AT_MOST = 64 * 1024 * 1024;
/** With a lock file, doctor would query the npm registry for known vulnerabilities, so an unchanged commit could fail on any day. */
const LEFT_OUT = new Set(['package-lock.json']);
/** The checks that doctor can run on an app of any framework. A check that did not run counts as failed. */
const NEEDED_CHECKS = ['MISSING_COMPLIANCE_WEBHOOKS', 'INSECURE_WEBHOOK_URL', 'COMMITTED_SECRET'];

const reportSchema = z.object({
  scan: z.object({
    issues: z.array(
      z.object({
        id: z.string(),
        message: z.string(),
        location: z.object({ file: z.string(), line: z.number().optional() }).optional(),
      }),
    ),
    scan: z.object({ checks_executed: z.array(z.object({ id: z.string(), status: z.string() })) }),
  }),
});

/**
 * Builds and checks the app in `root` with Shopify's CLI, offline and without a login. Works on a copy of all files that git tracks or
 * would add, because the CLI writes files next to those it reads. Returns the problems found, one per line. The result is empty if both
 * commands pass.
 */
export async function checkShopifyApp(root: string): Promise<string[]> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'platen-shopify-')));
  try {
    const app = join(folder, 'app');
    await copyKnownFiles(root, app);
    return [...(await build(app, folder)), ...(await examine(app, folder))];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function copyKnownFiles(root: string, target: string): Promise<void> {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const { stdout } = await run('git', args, { cwd: root, maxBuffer: OUTPUT_BYTES_AT_MOST });
  await mkdir(target);
  for (const name of new Set(stdout.split('\0'))) {
    // Git lists a deleted file until its removal is committed.
    const isThere = name !== '' && (await stat(join(root, name)).catch(() => null))?.isFile();
    if (isThere && !LEFT_OUT.has(name)) await cp(join(root, name), join(target, name));
  }
}

async function build(app: string, home: string): Promise<string[]> {
  const { code, output } = await runCli(['app', 'build', '--skip-dependencies-installation', '--path', app], home);
  return code === '0' ? [] : [`app build ended with ${code}:\n${output}`];
}

async function examine(app: string, home: string): Promise<string[]> {
  const args = ['app', 'doctor', '--json', '--blocking', 'low', '--skip-instructions', '--path', app];
  const { code, stdout, output } = await runCli(args, home);
  const report = reportSchema.safeParse(parseJson(stdout));
  if (!report.success) return [`app doctor ended with ${code} and no report:\n${output}`];
  const { issues, scan } = report.data.scan;
  const findings = issues.map(({ id, message, location }) => {
    const place = [location?.file, location?.line].filter((one) => one !== undefined).join(':');
    return `app doctor, ${id}: ${message} ${place}`.trim();
  });
  const ran = new Set(scan.checks_executed.filter(({ status }) => status === 'executed').map(({ id }) => id));
  const missing = NEEDED_CHECKS.filter((id) => !ran.has(id)).map((id) => `app doctor did not run its check ${id}.`);
  if (code !== '0' && findings.length + missing.length === 0) return [`app doctor ended with ${code}:\n${output}`];
  return [...findings, ...missing];
}

/** Uses a separate home folder, where the CLI stores its settings. */
async function runCli(args: string[], home: string): Promise<{ code: string; stdout: string; output: string }> {
  const env = {
    PATH: process.env['PATH'],
    HOME: home,
    TMPDIR: home,
    CI: '1',
    SHOPIFY_CLI_NO_ANALYTICS: '1',
    FORCE_COLOR: '0',
    NO_COLOR: '1',
  };
  const limits = { timeout: COMMAND_MS_AT_MOST, maxBuffer: OUTPUT_BYTES_AT_MOST };
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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

if (import.meta.main) {
  const problems = await checkShopifyApp(fileURLToPath(new URL('..', import.meta.url)));
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
  else console.log(`shopify app build and app doctor (${NEEDED_CHECKS.join(', ')}) report no problems.`);
}
