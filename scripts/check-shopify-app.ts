import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'smol-toml';
import { z } from 'zod';
import { buildApp, copyApp, type AppCopy } from './shopify-cli.ts';

/** The checks that doctor can run on an app of any framework. A check that did not run counts as failed. */
const REQUIRED_CHECKS = ['MISSING_COMPLIANCE_WEBHOOKS', 'INSECURE_WEBHOOK_URL', 'COMMITTED_SECRET'];

/** Shopify's own set of checks for theme extensions. */
const THEME_CHECKS = 'theme-check:theme-app-extension';

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

const themeReportSchema = z.array(
  z.object({
    path: z.string(),
    offenses: z.array(z.object({ check: z.string(), start_row: z.number(), message: z.string() })),
  }),
);

/**
 * Builds and checks the app in `root` with Shopify's CLI, offline and without a login. Returns the problems found, one per line. The result
 * is empty if all commands pass.
 */
export async function checkShopifyApp(root: string): Promise<string[]> {
  await using app = await copyApp(root);
  const problem = await buildApp(app);
  return [
    ...(problem === null ? [] : [problem]),
    ...(await findForeignAddresses(app)),
    ...(await checkThemes(app)),
    ...(await findAppProblems(app)),
  ];
}

/** Checks the theme extensions. The build prints their errors, but succeeds nevertheless. */
async function checkThemes(app: AppCopy): Promise<string[]> {
  const folders = await readdir(join(app.folder, 'extensions'), { withFileTypes: true }).catch(() => []);
  const problems: string[] = [];
  for (const path of folders.map(({ name }) => join('extensions', name))) {
    const toml = await readFile(join(app.folder, path, 'shopify.extension.toml'), 'utf8').catch(() => '');
    if (parse(toml)['type'] === 'theme') problems.push(...(await checkTheme(app, path)));
  }
  return problems;
}

async function checkTheme(app: AppCopy, path: string): Promise<string[]> {
  const { code, stdout, output } = await app.runIn(path, 'theme', 'check', '-C', THEME_CHECKS, '-o', 'json');
  const report = themeReportSchema.safeParse(parseJson(stdout));
  if (!report.success) return [`theme check ended with ${code} and no report:\n${output}`];
  return report.data.flatMap(({ path: file, offenses }) =>
    offenses.map(
      ({ check, start_row: row, message }) =>
        `theme check, ${check}: ${message} ${relative(app.folder, file)}:${row + 1}`,
    ),
  );
}

const appSchema = z.looseObject({ application_url: z.string() });
const flowSchema = z.looseObject({ extensions: z.array(z.looseObject({ url: z.string().optional() })) });

/** Finds addresses in `extensions/flow` that do not belong to the app's server. `app build` does not compare them. */
async function findForeignAddresses({ folder }: AppCopy): Promise<string[]> {
  const read = async (path: string) => parse(await readFile(join(folder, path), 'utf8').catch(() => ''));
  const app = appSchema.safeParse(await read('shopify.app.toml'));
  const flow = flowSchema.safeParse(await read('extensions/flow/shopify.extension.toml'));
  if (!app.success || !flow.success) return [];
  const base = app.data.application_url.replace(/\/?$/, '/');
  return flow.data.extensions
    .flatMap(({ url }) => url ?? [])
    .filter((url) => !url.startsWith(base))
    .map((url) => `extensions/flow/shopify.extension.toml: ${url} must begin with application_url, which is ${base}.`);
}

async function findAppProblems(app: AppCopy): Promise<string[]> {
  const { code, stdout, output } = await app.run('app', 'doctor', '--json', '--blocking', 'low', '--skip-instructions');
  const report = reportSchema.safeParse(parseJson(stdout));
  if (!report.success) return [`app doctor ended with ${code} and no report:\n${output}`];
  const { issues, scan } = report.data.scan;
  const findings = issues.map(({ id, message, location }) => {
    const place = [location?.file, location?.line].filter((one) => one !== undefined).join(':');
    return `app doctor, ${id}: ${message} ${place}`.trim();
  });
  const ran = new Set(scan.checks_executed.filter(({ status }) => status === 'executed').map(({ id }) => id));
  const missing = REQUIRED_CHECKS.filter((id) => !ran.has(id)).map((id) => `app doctor did not run its check ${id}.`);
  if (code !== '0' && findings.length + missing.length === 0) return [`app doctor ended with ${code}:\n${output}`];
  return [...findings, ...missing];
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
  else console.log(`shopify app build, theme check and app doctor (${REQUIRED_CHECKS.join(', ')}) report no problems.`);
}
