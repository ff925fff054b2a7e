import { z } from 'zod';

export const DEFAULT_HOME = '.platen';
/** The value of DATABASE_URL that selects the embedded database under PLATEN_HOME. */
export const EMBEDDED = 'embedded';

const port = z.coerce.number().int().min(0).max(65535);
const seconds = z.coerce.number().positive().max(86_400);
const url = z
  .string()
  .refine((value) => URL.canParse(value.replaceAll('{shop}', 'shop')), 'must be a URL')
  .transform(withoutEndSlashes);
const flag = z.enum(['on', 'off']);
const databaseUrl = z
  .string()
  .refine(
    (value) => value === EMBEDDED || /^postgres(ql)?:\/\//.test(value),
    `must be an address such as postgres://platen:password@127.0.0.1:5432/platen, or ${EMBEDDED}`,
  );

/** OpenTelemetry's names of samplers. */
const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

/** Where and how a process runs. */
const processVariables = {
  PORT: port
    .default(3000)
    .describe(
      'The port on which Platen listens. A worker serves health and metrics on this port. If the port is in use, the worker uses a free port and logs it',
    ),
  HOST: z.string().default('127.0.0.1').describe('The address on which Platen listens'),
  ROLE: z
    .enum(['web', 'worker', 'all'])
    .default('all')
    .describe('`web` answers requests, `worker` runs jobs and polls, and `all` does both'),
  DATABASE_URL: databaseUrl
    .optional()
    .describe(
      'PostgreSQL 15 or newer, such as `postgres://platen:password@127.0.0.1:5432/platen`. `embedded`, the default in the sandbox, runs a database under PLATEN_HOME',
    ),
  PLATEN_HOME: z
    .string()
    .default(DEFAULT_HOME)
    .describe("The folder for the embedded database, the spool and the sandbox's log and keys"),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('The lowest severity of messages to log'),
  METRICS_TOKEN: z
    .string()
    .optional()
    .describe('The bearer token for `/metrics`. If it is not set, `/metrics` is not available outside the sandbox'),
  TRUST_PROXY: z
    .enum(['1', 'true', 'on', '0', 'false', 'off'])
    .optional()
    .describe("With `on`, Platen reads the sender's address from `X-Forwarded-For`. Set it only behind your own proxy"),
  POLL_SECONDS: seconds.optional().describe('The interval of every poll that runs at least once an hour by default'),
};

/** The app's credentials and Shopify's addresses. */
const shopifyVariables = {
  SHOPIFY_API_KEY: z
    .string()
    .optional()
    .describe("Your app's client ID. If it is not set, Platen runs with its sandbox"),
  SHOPIFY_API_SECRET: z.string().optional().describe("Your app's client secret. Required with SHOPIFY_API_KEY"),
  SHOPIFY_API_SECRET_OLD: z
    .string()
    .optional()
    .describe(
      'The previous client secret during a rotation. Platen accepts session tokens, webhooks and callbacks that are signed with either secret',
    ),
  SHOPIFY_APP_URL: url
    .optional()
    .describe(
      "Platen's public address, without a path. It must use https; plain http is allowed only on loopback. Required with SHOPIFY_API_KEY",
    ),
  POLARIS_URL: url
    .optional()
    .describe(
      "The script with the admin's web components, by default Shopify's stable version. Set it to try Shopify's next version",
    ),
  SHOPIFY_ADMIN_ORIGIN: url
    .optional()
    .describe(
      "The address for Admin API requests and the token exchange, by default `https://{shop}`. Platen replaces `{shop}` with the shop's domain. The address must use https; plain http is allowed only on loopback",
    ),
};

/** The print service's addresses, and the time limits for requests to it. */
const printVariables = {
  PRINT_ORDER_URL: url
    .optional()
    .describe("The host of the print service's order interface. Required with SHOPIFY_API_KEY"),
  PRINT_ECOMMERCE_URL: url
    .optional()
    .describe("The host of the print service's store product interface; by default PRINT_ORDER_URL"),
  PRINT_PRODUCT_URL: url.optional().describe("The host of the print service's catalog; by default PRINT_ORDER_URL"),
  PRINT_LEGACY_URL: url
    .optional()
    .describe("The host of the print service's earlier interface; by default PRINT_ORDER_URL"),
  PRINT_LEGACY_TEST_URL: url
    .optional()
    .describe(
      'The test host of the earlier interface, for shops with `legacyHost=test`. It has no default outside the sandbox. If it is not set, Platen rejects `legacyHost=test`',
    ),
  PRINT_TIMEOUT_SECONDS: seconds.default(30).describe('The timeout of one request to the print service'),
  SUBMIT_DEADLINE_SECONDS: seconds
    .default(10)
    .describe(
      'For orders that are created directly, the longest time from when a job claims an order until it starts to send the request body',
    ),
  SUBMIT_QUIET_SECONDS: seconds
    .default(900)
    .describe(
      'How long a create request may still take effect after a job claimed the order. Platen does not start if this is shorter than the deadline plus the timeout',
    ),
  PRINT_FILE_CHECK: flag
    .optional()
    .describe(
      "Whether Platen fetches a print link's file when the link is saved. The default is `on`, or `off` in the sandbox. With `off`, Platen checks only the file's address",
    ),
};

const SHARE = 'must be a number from 0 to 1';

/** The export of traces, under the names that OpenTelemetry defines. */
const tracingVariables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: url
    .refine((value) => /^https?:\/\//.test(value), 'must be an http or https address')
    .optional()
    .describe(
      'The address of a receiver of traces (OTLP over HTTP), without `/v1/traces`, such as `http://127.0.0.1:4318`. If it is not set, nothing is traced',
    ),
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .optional()
    .describe(
      'Headers for the receiver, such as `authorization=Bearer%20abc`. Commas separate them, and values are percent-encoded',
    ),
  OTEL_SERVICE_NAME: z.string().default('platen').describe("The service's name in the traces"),
  OTEL_RESOURCE_ATTRIBUTES: z
    .string()
    .optional()
    .describe(
      'Attributes of this process for the traces, such as `deployment.environment.name=production`, in the same format as the headers',
    ),
  OTEL_TRACES_SAMPLER: z
    .enum(SAMPLERS)
    .default('parentbased_always_on')
    .describe(
      'Which orders are traced. An order has no parent, so each name has the same effect with and without `parentbased_`',
    ),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number(SHARE)
    .min(0, SHARE)
    .max(1, SHARE)
    .default(1)
    .describe('For `traceidratio`, the share of orders to trace, from 0 to 1'),
};

/** The mail server for alerts and digests. */
const mailVariables = {
  SMTP_URL: z
    .string()
    .refine(
      isSmtpUrl,
      'must be an address such as smtps://user:password@mail.example.com:465, with a percent-encoded user and password (%25 for %)',
    )
    .optional()
    .describe(
      "The mail server through which Platen sends shops' alerts, such as `smtps://user:password@mail.example.com:465`. With `smtp:`, the connection is encrypted by STARTTLS, which is required if the address contains a password. If it is not set, Platen sends no emails",
    ),
  MAIL_FROM: z
    .string()
    .refine(isSender, 'must be an email address such as platen@example.com, or Platen <platen@example.com>')
    .optional()
    .describe('The sender of these emails, such as `Platen <platen@example.com>`. Required with SMTP_URL'),
};

/** The keys that encrypt stored values. */
const encryptionVariables = {
  ENCRYPTION_KEY: z
    .string()
    .optional()
    .describe(
      'The key that encrypts new values: 32 bytes in base64. The sandbox generates a key. Required with SHOPIFY_API_KEY',
    ),
  ENCRYPTION_KEYS_OLD: z
    .string()
    .default('')
    .describe('Earlier keys, separated by commas. Platen uses these keys only to decrypt'),
};

/** The sandbox's stand-ins. */
const sandboxVariables = {
  SANDBOX_PRINT_PORT: port.default(4010).describe('The port of the print stand-in'),
  SANDBOX_STORE_PORT: port.default(4020).describe('The port of the store stand-in'),
  SANDBOX_APP_URL: url
    .optional()
    .describe('The address to which the stand-ins send webhooks; by default `http://127.0.0.1:PORT`'),
  SANDBOX_ADVANCE_SECONDS: z
    .union([z.literal('off'), seconds], 'must be a number of seconds, or off')
    .default(1)
    .describe(
      'The interval at which the print stand-in advances an order to its next status. With `off`, orders advance only through the control endpoints',
    ),
  SANDBOX_EXTENDED: flag
    .default('on')
    .describe(
      'With `off`, the print stand-in does not support the extended calls, and the demo shop has `extendedCalls=off`',
    ),
};

/** All variables, grouped as on the reference page. */
export const environmentGroups = {
  'Process and database': processVariables,
  Shopify: shopifyVariables,
  'Print service': printVariables,
  Mail: mailVariables,
  Encryption: encryptionVariables,
  Traces: tracingVariables,
  Sandbox: sandboxVariables,
} as const;

export const environmentSchema = z.object({
  ...processVariables,
  ...shopifyVariables,
  ...printVariables,
  ...mailVariables,
  ...encryptionVariables,
  ...tracingVariables,
  ...sandboxVariables,
});

export type Environment = z.infer<typeof environmentSchema>;

function isSmtpUrl(value: string): boolean {
  const url = URL.parse(value);
  if (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === '' || url.search !== '') return false;
  return isPercentEncoded(url.username) && isPercentEncoded(url.password);
}

function isPercentEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** Accepts an address, or a name with an address in angle brackets. */
function isSender(value: string): boolean {
  const start = value.indexOf('<');
  const address = start === -1 ? value : value.endsWith('>') ? value.slice(start + 1, -1) : '';
  return value.length <= 320 && !/\p{Cc}/u.test(value) && z.email().safeParse(address).success;
}

function withoutEndSlashes(url: string): string {
  let end = url.length;
  while (url.charAt(end - 1) === '/') end -= 1;
  return url.slice(0, end);
}
