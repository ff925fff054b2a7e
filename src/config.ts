import { createHash, randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { EMBEDDED, environmentSchema, type Environment } from './environment.ts';
import { InvalidInputError } from './errors.ts';
import { toTracingOptions } from './to-tracing-options.ts';
import type { TracingOptions } from './tracing/tracing-options.ts';

/** The environment, parsed once (docs/reference/environment.md). */
export interface Config {
  role: 'web' | 'worker' | 'all';
  host: string;
  port: number;
  /** Null if PostgreSQL runs embedded under `home`. */
  databaseUrl: string | null;
  home: string;
  shopify: {
    apiKey: string;
    apiSecret: string;
    /** Shopify may sign with the previous secret for up to an hour after a rotation. */
    previousApiSecret: string | null;
    appUrl: string;
    adminOrigin: string;
    /** The app's address in the Shopify admin. `{handle}` is the shop's domain without `.myshopify.com`. */
    embeddedUrl: string;
    /** The script from which an embedded page gets its session tokens. */
    appBridgeUrl: string;
    /** The script that defines Polaris, the web components of the Shopify admin. */
    polarisUrl: string;
  };
  print: {
    /** `legacyTest` is null if the operator has not set a test host for the earlier interface. */
    urls: { order: string; ecommerce: string; product: string; legacy: string; legacyTest: string | null };
    timeoutSeconds: number;
    submitDeadlineSeconds: number;
    submitQuietSeconds: number;
  };
  /** How emails are sent. With `folder`, which only the sandbox uses, they are saved as files. Null: Platen sends no emails. */
  mail: { url: string; from: string } | { folder: string } | null;
  /** Each key has 32 bytes. The first key encrypts and decrypts. The other keys only decrypt. */
  encryptionKeys: EncryptionKey[];
  pollSeconds: number | null;
  sandbox: {
    runsPrint: boolean;
    runsStore: boolean;
    printPort: number;
    storePort: number;
    appUrl: string;
    advanceSeconds: number | null;
    extended: boolean;
  };
  /** Whether Platen fetches the print file of a print link when the link is saved. */
  checksPrintFiles: boolean;
  logLevel: string;
  metricsToken: string | null;
  trustProxy: boolean;
  /** Null if nothing is traced. */
  tracing: TracingOptions | null;
}

interface EncryptionKey {
  /** The first 8 hexadecimal digits of the key's SHA-256, which show which key encrypted a value. */
  id: string;
  key: Buffer;
}

/** The file under PLATEN_HOME that contains the sandbox's key. */
export const SANDBOX_KEY = 'encryption-key';

/** Reads the configuration of this process from its environment. Throws an InvalidInputError that names the invalid variable. */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  // Compose files and shells pass an unset variable as an empty one.
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = environmentSchema.safeParse(given);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const name = String(issue?.path[0] ?? 'environment');
    throw new InvalidInputError(
      name,
      `${name}: ${issue?.message ?? 'is not valid'}. docs/reference/environment.md lists the allowed values.`,
    );
  }
  const env = parsed.data;
  refuseShortQuietTime(env);
  refuseStandIns(env);
  refusePlainAdminOrigin(env);
  refuseMailWithoutSender(env);
  const home = resolve(env.PLATEN_HOME);
  const appUrl = env.SHOPIFY_APP_URL ?? `http://127.0.0.1:${env.PORT}`;
  const shopify = toShopifyConfig(env, appUrl);
  return {
    role: env.ROLE,
    host: env.HOST,
    port: env.PORT,
    databaseUrl: env.DATABASE_URL === undefined || env.DATABASE_URL === EMBEDDED ? null : env.DATABASE_URL,
    home,
    shopify,
    print: {
      urls: toPrintUrls(env),
      timeoutSeconds: env.PRINT_TIMEOUT_SECONDS,
      submitDeadlineSeconds: env.SUBMIT_DEADLINE_SECONDS,
      submitQuietSeconds: env.SUBMIT_QUIET_SECONDS,
    },
    mail: toMailConfig(env, home),
    encryptionKeys: toEncryptionKeys(env, home),
    pollSeconds: env.POLL_SECONDS ?? null,
    sandbox: {
      runsPrint: !hasPrintUrl(env),
      runsStore: env.SHOPIFY_API_KEY === undefined,
      printPort: env.SANDBOX_PRINT_PORT,
      storePort: env.SANDBOX_STORE_PORT,
      appUrl: env.SANDBOX_APP_URL ?? appUrl,
      advanceSeconds: env.SANDBOX_ADVANCE_SECONDS === 'off' ? null : env.SANDBOX_ADVANCE_SECONDS,
      extended: env.SANDBOX_EXTENDED === 'on',
    },
    // By default, the sandbox does not check print files, because the demo products' files do not exist.
    checksPrintFiles:
      env.PRINT_FILE_CHECK === undefined ? env.SHOPIFY_API_KEY !== undefined : env.PRINT_FILE_CHECK === 'on',
    logLevel: env.LOG_LEVEL,
    metricsToken: env.METRICS_TOKEN ?? null,
    trustProxy: ['1', 'true', 'on'].includes(env.TRUST_PROXY ?? ''),
    tracing: toTracingOptions(env, shopify.apiKey),
  };
}

/** Returns all problems for which `readConfig` would reject this environment, without creating a key. */
export function findConfigProblems(environment: NodeJS.ProcessEnv = process.env): { field: string; message: string }[] {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const { success, data: env, error } = environmentSchema.safeParse(given);
  if (!success)
    return error.issues.map(({ path, message }) => ({
      field: String(path[0] ?? 'environment'),
      message: `${String(path[0])}: ${message}.`,
    }));
  const hasKey = env.ENCRYPTION_KEY !== undefined || env.SHOPIFY_API_KEY !== undefined;
  const checks = [
    () => refuseShortQuietTime(env),
    () => refuseStandIns(env),
    () => refusePlainAdminOrigin(env),
    () => toShopifyConfig(env, ''),
    () => refuseMailWithoutSender(env),
    () => toTracingOptions(env, ''),
    ...(hasKey ? [() => toEncryptionKeys(env, '')] : []),
  ];
  return checks.flatMap((check) => {
    try {
      check();
      return [];
    } catch (problem) {
      if (!(problem instanceof InvalidInputError)) throw problem;
      return [{ field: problem.field, message: problem.message }];
    }
  });
}

/** Returns the environment for a child process: the current environment with some variables replaced. */
export function withEnvironment(variables: Record<string, string>): NodeJS.ProcessEnv {
  return { ...process.env, ...variables };
}

/** The quiet time must be longer than a request that starts at its deadline and runs until its timeout. */
function refuseShortQuietTime(env: Environment): void {
  const needed = env.SUBMIT_DEADLINE_SECONDS + env.PRINT_TIMEOUT_SECONDS;
  if (env.SUBMIT_QUIET_SECONDS < needed) {
    throw new InvalidInputError(
      'SUBMIT_QUIET_SECONDS',
      `SUBMIT_QUIET_SECONDS is ${env.SUBMIT_QUIET_SECONDS} seconds. It must be at least SUBMIT_DEADLINE_SECONDS + PRINT_TIMEOUT_SECONDS = ${needed}. Otherwise, an order could be printed twice.`,
    );
  }
}

/**
 * With a real app's credentials, no default replaces a missing or misspelled variable. Otherwise, orders could go to a stand-in, and data
 * could be stored where nobody backs it up.
 */
function refuseStandIns(env: Environment): void {
  if (env.SHOPIFY_API_KEY === undefined && env.SHOPIFY_API_SECRET !== undefined)
    throw new InvalidInputError(
      'SHOPIFY_API_KEY',
      'SHOPIFY_API_KEY is missing: set it together with SHOPIFY_API_SECRET, or remove the secret to run the sandbox.',
    );
  if (env.SHOPIFY_API_KEY === undefined) return;
  if (env.PRINT_ORDER_URL === undefined)
    throw new InvalidInputError(
      'PRINT_ORDER_URL',
      'PRINT_ORDER_URL is missing: set it to the address of the print service. The print stand-in does not run when SHOPIFY_API_KEY is set.',
    );
  if (env.DATABASE_URL === undefined)
    throw new InvalidInputError(
      'DATABASE_URL',
      `DATABASE_URL is missing: set it to the address of your PostgreSQL database, or to ${EMBEDDED} for a database under PLATEN_HOME.`,
    );
}

function refuseMailWithoutSender({ SMTP_URL: url, MAIL_FROM: from }: Environment): void {
  if ((url === undefined) === (from === undefined)) return;
  const [missing, given] = url === undefined ? ['SMTP_URL', 'MAIL_FROM'] : ['MAIL_FROM', 'SMTP_URL'];
  throw new InvalidInputError(missing, `${missing} is missing: set it together with ${given}, or remove both.`);
}

function toMailConfig({ SMTP_URL: url, MAIL_FROM: from, SHOPIFY_API_KEY: key }: Environment, home: string) {
  if (url !== undefined && from !== undefined) return { url, from };
  return key === undefined ? { folder: join(home, 'mail') } : null;
}

/** Every Admin API call carries an access token, so the address must be encrypted. */
function refusePlainAdminOrigin({ SHOPIFY_ADMIN_ORIGIN: origin }: Environment): void {
  if (origin === undefined || isHttpsOrLoopback(origin.replaceAll('{shop}', 'shop'))) return;
  throw new InvalidInputError(
    'SHOPIFY_ADMIN_ORIGIN',
    'SHOPIFY_ADMIN_ORIGIN must be an https address; plain http is allowed only for loopback addresses.',
  );
}

function isHttpsOrLoopback(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || (protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(hostname));
}

function toShopifyConfig(env: Environment, appUrl: string): Config['shopify'] {
  const previousApiSecret = env.SHOPIFY_API_SECRET_OLD ?? null;
  const apiKey = env.SHOPIFY_API_KEY;
  if (apiKey === undefined) {
    const storeUrl = `http://127.0.0.1:${env.SANDBOX_STORE_PORT}`;
    return {
      apiKey: 'sandbox-app',
      apiSecret: 'sandbox-secret',
      previousApiSecret,
      appUrl,
      adminOrigin: env.SHOPIFY_ADMIN_ORIGIN ?? `${storeUrl}/{shop}`,
      embeddedUrl: `${storeUrl}/{handle}.myshopify.com/admin/apps/sandbox-app`,
      appBridgeUrl: `${storeUrl}/app-bridge.js`,
      polarisUrl: env.POLARIS_URL ?? `${storeUrl}/polaris.js`,
    };
  }
  if (env.SHOPIFY_API_SECRET === undefined) {
    throw new InvalidInputError(
      'SHOPIFY_API_SECRET',
      'SHOPIFY_API_SECRET is missing: set it to the client secret of the app.',
    );
  }
  if (env.SHOPIFY_APP_URL === undefined) {
    throw new InvalidInputError(
      'SHOPIFY_APP_URL',
      'SHOPIFY_APP_URL is missing: set it to the https address at which Shopify reaches the app.',
    );
  }
  refuseInvalidAppUrl(env.SHOPIFY_APP_URL);
  return {
    apiKey,
    apiSecret: env.SHOPIFY_API_SECRET,
    previousApiSecret,
    appUrl,
    adminOrigin: env.SHOPIFY_ADMIN_ORIGIN ?? 'https://{shop}',
    embeddedUrl: `https://admin.shopify.com/store/{handle}/apps/${apiKey}`,
    appBridgeUrl: 'https://cdn.shopify.com/shopifycloud/app-bridge.js',
    polarisUrl: env.POLARIS_URL ?? 'https://cdn.shopify.com/shopifycloud/polaris-1.js',
  };
}

function refuseInvalidAppUrl(appUrl: string): void {
  if (new URL(appUrl).pathname !== '/') {
    throw new InvalidInputError(
      'SHOPIFY_APP_URL',
      'SHOPIFY_APP_URL must be an address without a path: Platen needs its own host name.',
    );
  }
  if (isHttpsOrLoopback(appUrl)) return;
  throw new InvalidInputError(
    'SHOPIFY_APP_URL',
    'SHOPIFY_APP_URL must be an https address; plain http is allowed only for loopback addresses.',
  );
}

function hasPrintUrl(env: Environment): boolean {
  return [
    env.PRINT_ORDER_URL,
    env.PRINT_ECOMMERCE_URL,
    env.PRINT_PRODUCT_URL,
    env.PRINT_LEGACY_URL,
    env.PRINT_LEGACY_TEST_URL,
  ].some((value) => value !== undefined);
}

/**
 * An unset PRINT_*_URL defaults to PRINT_ORDER_URL. If all of them are unset, they point to the print stand-in, whose test host is under
 * /test. Outside the sandbox, the test host has no default, because a test order sent to the live host would be printed.
 */
function toPrintUrls(env: Environment): Config['print']['urls'] {
  const order = env.PRINT_ORDER_URL ?? `http://127.0.0.1:${env.SANDBOX_PRINT_PORT}`;
  return {
    order,
    ecommerce: env.PRINT_ECOMMERCE_URL ?? order,
    product: env.PRINT_PRODUCT_URL ?? order,
    legacy: env.PRINT_LEGACY_URL ?? order,
    legacyTest: env.PRINT_LEGACY_TEST_URL ?? (hasPrintUrl(env) ? null : `${order}/test`),
  };
}

function toEncryptionKeys(env: Environment, home: string): EncryptionKey[] {
  const current = env.ENCRYPTION_KEY ?? (env.SHOPIFY_API_KEY === undefined ? readOrCreateSandboxKey(home) : undefined);
  if (current === undefined) {
    throw new InvalidInputError(
      'ENCRYPTION_KEY',
      'ENCRYPTION_KEY is missing: set it to 32 random bytes in base64, for example from "openssl rand -base64 32".',
    );
  }
  const old = env.ENCRYPTION_KEYS_OLD.split(',').filter((key) => key.trim() !== '');
  return [toEncryptionKey('ENCRYPTION_KEY', current), ...old.map((key) => toEncryptionKey('ENCRYPTION_KEYS_OLD', key))];
}

function toEncryptionKey(name: string, text: string): EncryptionKey {
  const key = Buffer.from(text.trim(), 'base64');
  if (key.length !== 32)
    throw new InvalidInputError(name, `${name} must be 32 bytes in base64, but the value has ${key.length} bytes.`);
  return { id: createHash('sha256').update(key).digest('hex').slice(0, 8), key };
}

/** Returns the sandbox's key: creates it at the first start and reads it at later starts. */
function readOrCreateSandboxKey(home: string): string {
  const file = join(home, SANDBOX_KEY);
  if (!existsSync(file)) {
    mkdirSync(home, { recursive: true });
    // If two processes start at the same time, only one of them links its key, and both read it. A full disk leaves no incomplete key.
    const draft = `${file}.${randomBytes(6).toString('hex')}`;
    try {
      writeFileSync(draft, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600 });
      linkSync(draft, file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    } finally {
      rmSync(draft, { force: true });
    }
  }
  return readFileSync(file, 'utf8');
}
