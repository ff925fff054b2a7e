import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { buildApp, copyApp, type AppCopy } from './shopify-cli.ts';

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
 * Builds and checks the app in `root` with Shopify's CLI, offline and without a login. Returns the problems found, one per line. The result
 * is empty if both commands pass.
 */
export async function checkShopifyApp(root: string): Promise<string[]> {
  await using app = await copyApp(root);
  const problem = await buildApp(app);
  return [...(problem === null ? [] : [problem]), ...(await examine(app))];
}

async function examine(app: AppCopy): Promise<string[]> {
  const { code, stdout, output } = await app.run('app', 'doctor', '--json', '--blocking', 'low', '--skip-instructions');
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
