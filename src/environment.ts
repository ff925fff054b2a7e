import { z } from 'zod';

export const DEFAULT_HOME = '.platen';
/** The value of DATABASE_URL that selects the database under PLATEN_HOME. */
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

/** Where and how a process runs. */
const processVariables = {
  PORT: port
    .default(3000)
    .describe(
      'The port on which Platen listens. A worker serves health and metrics there; if the port is taken, it uses a free one and names it in the log',
    ),
  HOST: z.string().default('127.0.0.1').describe('The address on which Platen listens'),
  ROLE: z
    .enum(['web', 'worker', 'all'])
    .default('all')
    .describe('`web` answers requests, `worker` runs jobs and polls, and `all` does both'),
  DATABASE_URL: databaseUrl
    .optional()
    .describe(
      'PostgreSQL 15 or newer, such as `postgres://platen:password@127.0.0.1:5432/platen`. `embedded` is a database under PLATEN_HOME, and the default in the sandbox',
    ),
  PLATEN_HOME: z
    .string()
    .default(DEFAULT_HOME)
    .describe('The folder of the embedded database, the spool, and the log and keys of the sandbox'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('The least severe messages that are logged'),
  METRICS_TOKEN: z
    .string()
    .optional()
    .describe('The bearer token for `/metrics`. Without it, `/metrics` is closed outside the sandbox'),
  TRUST_PROXY: z
    .enum(['1', 'true', 'on', '0', 'false', 'off'])
    .optional()
    .describe("`on` takes the sender's address from `X-Forwarded-For`. Set it only behind your own proxy"),
  POLL_SECONDS: seconds
    .optional()
    .describe('If set, every poll that runs hourly or more often runs at this interval instead'),
};

/** The credentials of the app, and where Shopify is. */
const shopifyVariables = {
  SHOPIFY_API_KEY: z
    .string()
    .optional()
    .describe('The client id of your app. Without it, Platen runs with its sandbox'),
  SHOPIFY_API_SECRET: z.string().optional().describe('The client secret of your app. Required with SHOPIFY_API_KEY'),
  SHOPIFY_API_SECRET_OLD: z
    .string()
    .optional()
    .describe(
      'The previous secret, while the secret is rotated. Session tokens, webhooks and callbacks signed with either secret are accepted',
    ),
  SHOPIFY_APP_URL: url
    .optional()
    .describe(
      'The public address of Platen, without a path. It must be https; plain http is allowed only on loopback. Required with SHOPIFY_API_KEY',
    ),
  SHOPIFY_ADMIN_ORIGIN: url
    .optional()
    .describe(
      "Where Admin API calls and the token exchange go, by default `https://{shop}`. `{shop}` is replaced by the shop's domain. It must be https; plain http is allowed only on loopback",
    ),
};

/** Where the print service is, and how long its calls may take. */
const printVariables = {
  PRINT_ORDER_URL: url
    .optional()
    .describe("The host of the print service's order interface. Required with SHOPIFY_API_KEY"),
  PRINT_ECOMMERCE_URL: url
    .optional()
    .describe("The host of the print service's store products; by default PRINT_ORDER_URL"),
  PRINT_PRODUCT_URL: url.optional().describe("The host of the print service's catalog; by default PRINT_ORDER_URL"),
  PRINT_LEGACY_URL: url
    .optional()
    .describe("The host of the print service's earlier interface; by default PRINT_ORDER_URL"),
  PRINT_LEGACY_TEST_URL: url
    .optional()
    .describe(
      'The test host of the earlier interface, for shops with `legacyHost=test`. It has no default outside the sandbox: without it, the setting is refused',
    ),
  PRINT_TIMEOUT_SECONDS: seconds.default(30).describe('The timeout of one call to the print service'),
  SUBMIT_DEADLINE_SECONDS: seconds
    .default(10)
    .describe(
      'When orders are sent directly, the longest time from the claim to the moment the request body is written',
    ),
  SUBMIT_QUIET_SECONDS: seconds
    .default(900)
    .describe(
      'How late a call may still take effect. Platen refuses to start if this is shorter than the deadline and the timeout together',
    ),
  PRINT_FILE_CHECK: flag
    .optional()
    .describe(
      'Whether the file of a print link is fetched when the link is saved: by default `on`, and `off` in the sandbox. With `off`, only its address is checked',
    ),
};

/** Keys of what is stored encrypted. */
const encryptionVariables = {
  ENCRYPTION_KEY: z
    .string()
    .optional()
    .describe(
      '32 bytes in base64. It encrypts everything that is written. The sandbox generates one. Required with SHOPIFY_API_KEY',
    ),
  ENCRYPTION_KEYS_OLD: z
    .string()
    .default('')
    .describe('Earlier keys, separated by commas. They are used only to decrypt'),
};

/** The stand-ins of the sandbox. */
const sandboxVariables = {
  SANDBOX_PRINT_PORT: port.default(4010).describe('The port of the print stand-in'),
  SANDBOX_STORE_PORT: port.default(4020).describe('The port of the store stand-in'),
  SANDBOX_APP_URL: url
    .optional()
    .describe('Where the stand-ins send their webhooks; by default `http://127.0.0.1:PORT`'),
  SANDBOX_ADVANCE_SECONDS: z
    .union([z.literal('off'), seconds], 'must be a number of seconds, or off')
    .default(1)
    .describe(
      'The interval at which the print stand-in moves an order to its next status. With `off`, orders move only through the control endpoints',
    ),
  SANDBOX_EXTENDED: flag
    .default('on')
    .describe('With `off`, the print stand-in lacks the extended calls, and the demo shop has `extendedCalls=off`'),
};

/** All variables, in the groups of their reference page. */
export const environmentGroups = {
  'Process and database': processVariables,
  Shopify: shopifyVariables,
  'Print service': printVariables,
  Encryption: encryptionVariables,
  Sandbox: sandboxVariables,
} as const;

export const environmentSchema = z.object({
  ...processVariables,
  ...shopifyVariables,
  ...printVariables,
  ...encryptionVariables,
  ...sandboxVariables,
});

export type Environment = z.infer<typeof environmentSchema>;

function withoutEndSlashes(url: string): string {
  let end = url.length;
  while (url.charAt(end - 1) === '/') end -= 1;
  return url.slice(0, end);
}
