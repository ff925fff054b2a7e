import { createHmac, randomBytes } from 'node:crypto';
import { release } from 'node:os';
import { withEnvironment } from '../../config.ts';
import { EMBEDDED, environmentGroups } from '../../environment.ts';
import { createMetrics } from '../../http/ops/metrics.ts';
import { listFailedJobs, type FailedJob } from '../../jobs/list-failed-jobs.ts';
import { readVersion } from '../../read-version.ts';
import type { Finding } from './finding.ts';
import type { OpenInstallation } from './gather/open-installation.ts';

const MAX_FAILED_JOBS = 50;
const SHOP = /(?<![a-z0-9-])[a-z0-9][a-z0-9-]{0,59}\.myshopify\.com/gi;
const EMAIL = /(?<![^\s@"'<>])[^\s@"'<>]{1,64}@[^\s@"'<>]{1,255}/g;
/** Variables whose values are common words, so replacing these words would make a report hard to read. */
const PLAIN: ReadonlySet<string> = new Set(['ROLE', 'LOG_LEVEL', 'HOST']);
/** Words in Platen's own texts that are often also the name of a database, its user or a service. */
const OWN_WORDS: ReadonlySet<string> = new Set(['platen', 'postgres', 'database', 'orders', 'worker', 'webhook']);
/** Shorter values, such as a port, may be part of another word. */
const MIN_SECRET_LENGTH = 6;

/** A report that an operator can attach to an issue. It contains no secret, no personal data and, by default, no shop's domain. */
export interface DoctorReport {
  createdAt: string;
  versions: Record<'platen' | 'node' | 'system', string>;
  findings: Finding[];
  /** The variables and whether each is set, never their values. */
  configuration: Record<string, boolean>;
  failedJobs: FailedJob[];
  /** Platen's metrics as a new process reports them, in the Prometheus text format. */
  metrics: string[];
}

/**
 * Builds the report. All its texts and counts are meant to be shown. As a second line of defense, it replaces the values of the environment
 * variables, email addresses and (without `withShops`) the domains of shops.
 */
export async function createReport(
  installation: OpenInstallation,
  findings: Finding[],
  { withShops, now }: { withShops: boolean; now: Date },
): Promise<DoctorReport> {
  const { app, config } = installation;
  const environment = withEnvironment({});
  const names = Object.values(environmentGroups).flatMap((group) => Object.keys(group));
  const report: DoctorReport = {
    createdAt: now.toISOString(),
    versions: { platen: readVersion(), node: process.versions.node, system: `${process.platform} ${release()}` },
    findings,
    configuration: Object.fromEntries(names.map((name) => [name, (environment[name] ?? '') !== ''])),
    failedJobs: app === null ? [] : await listFailedJobs(app.db, MAX_FAILED_JOBS).catch(() => []),
    metrics: app === null ? [] : (await createMetrics(app).registry.metrics()).split('\n').filter(isValue),
  };
  const secrets = listValues(environment, names);
  // With the key, a domain has the same hash in all reports of an installation. Nobody can compute the hash without the key.
  const key = config?.encryptionKeys[0]?.key ?? randomBytes(32);
  return mapTexts(report, (text) => redact(text, { secrets, key, withShops })) as DoctorReport;
}

const isValue = (line: string): boolean => line !== '' && !line.startsWith('#');

interface Secret {
  name: string;
  value: string;
}

/** Returns the values of the environment variables, and the passwords in addresses, longest first. */
function listValues(environment: NodeJS.ProcessEnv, names: readonly string[]): Secret[] {
  const values = names
    .filter((name) => !PLAIN.has(name))
    .flatMap((name) =>
      (environment[name] ?? '')
        .split(',')
        .flatMap((value) => [value.trim(), ...splitAddress(value)])
        .map((value) => ({ name, value })),
    );
  return values
    .filter(({ value }) => value.length >= MIN_SECRET_LENGTH && value !== EMBEDDED && !OWN_WORDS.has(value))
    .toSorted((one, other) => other.value.length - one.value.length);
}

function splitAddress(value: string): string[] {
  if (!URL.canParse(value)) return [];
  const { password, username, hostname } = new URL(value);
  const isLocal = ['localhost', '127.0.0.1'].includes(hostname);
  return [password, decode(password), username, isLocal ? '' : hostname];
}

/** A percent sign that encodes nothing is a common mistake, which must not prevent the report. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function redact(
  text: string,
  { secrets, key, withShops }: { secrets: readonly Secret[]; key: Buffer; withShops: boolean },
): string {
  let safe = text;
  for (const { name, value } of secrets) safe = safe.replaceAll(value, `[${name}]`);
  safe = safe.replace(EMAIL, '[email]');
  if (withShops) return safe;
  return safe.replace(SHOP, (domain) => `shop-${createHmac('sha256', key).update(domain).digest('hex').slice(0, 8)}`);
}

/** Returns a copy of a JSON value with all texts mapped, except the names of fields. */
function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value);
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map((one) => mapTexts(one, map));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, mapTexts(one, map)]));
}
