import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const TIMEOUT_MS = 60_000;
const COUNTED = ['high', 'critical'] as const;

interface Advisory {
  name: string;
  severity: string;
}

export type Audit =
  | { outcome: 'clean' }
  | { outcome: 'vulnerable'; advisories: Advisory[] }
  /** The registry does not support audits, or did not respond. */
  | { outcome: 'unknown'; reason: string };

/**
 * Interprets the output of `npm audit --json`. npm's exit code does not distinguish a vulnerable package from a failed audit.
 */
export function readAudit(output: string): Audit {
  let report: { message?: string; vulnerabilities?: Record<string, Advisory>; metadata?: unknown };
  try {
    report = JSON.parse(output) as typeof report;
  } catch {
    return { outcome: 'unknown', reason: 'npm audit wrote no report.' };
  }
  const { vulnerabilities, metadata, message } = report;
  if (!vulnerabilities || !metadata) return { outcome: 'unknown', reason: describeMessage(message) };
  const advisories = Object.values(vulnerabilities).filter(({ severity }) => COUNTED.some((one) => one === severity));
  return advisories.length === 0 ? { outcome: 'clean' } : { outcome: 'vulnerable', advisories };
}

/** Returns npm's message without addresses, which may name a private registry. */
function describeMessage(message = 'npm audit wrote no report'): string {
  return `${message.replaceAll(/https?:\/\/\S+/g, '(registry)')}.`;
}

/** Audits the production dependencies in the lock file. Advisories below "high" do not count. */
export async function auditDependencies(): Promise<Audit> {
  const args = ['audit', '--omit=dev', '--audit-level=high', '--package-lock-only', '--json', '--fetch-retries=1'];
  const child = spawn('npm', args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'ignore'], timeout: TIMEOUT_MS });
  const failed = new Promise<string>((resolve) => child.once('error', () => resolve('')));
  return readAudit(await Promise.race([text(child.stdout), failed]));
}

if (import.meta.main) {
  const audit = await auditDependencies();
  if (audit.outcome === 'clean')
    console.log('No production dependency has a known vulnerability of severity high or critical.');
  if (audit.outcome === 'unknown')
    console.warn(`The audit was not possible, so vulnerabilities are unknown: ${audit.reason}`);
  if (audit.outcome === 'vulnerable') {
    for (const { name, severity } of audit.advisories) console.error(`${name}: ${severity}`);
    console.error('Production dependencies have known vulnerabilities. See "npm audit --omit=dev".');
    process.exitCode = 1;
  }
  // With --required, an unknown result is a failure.
  if (audit.outcome === 'unknown' && process.argv.includes('--required')) process.exitCode = 2;
}
