import { defineConfig } from 'oxlint';

interface Pattern {
  regex?: string;
  group?: string[];
  message: string;
}

/** The folders of `src`, from the entry points to the foundations. A folder imports only folders after it. */
const FOLDER_ORDER = [
  'admin',
  'cli',
  'demo',
  'http',
  'alerts',
  'inbox',
  'shipments',
  'store-status',
  'orders',
  'rates',
  'products',
  'shops',
  'polls',
  'shopify',
  'print',
  'jobs',
  'database',
  'tracing',
];
/** Folders that import no other folder. */
const FOUNDATIONS = ['shopify', 'print', 'database', 'tracing'];
/** Folders that must import neither the app nor its configuration. */
const APART = [...FOUNDATIONS, 'jobs'];
const NETWORK = ['http', 'alerts', 'print', 'shopify'];
/** The folders of `src/orders`, under the same rule. */
const ORDERS_FOLDERS = [
  'manual-actions',
  'follow',
  'backfill',
  'submit',
  'draft-check',
  'intake',
  'plan',
  'lists',
  'unlinked',
  'privacy',
  'quote',
  'leave',
  'waits',
  'rows',
  'costs',
  'store-view',
  'record',
  'facts',
  'enqueue',
  'address',
];
/** The number of folders between `src` and a file. A folder of `src` has at most two levels of subfolders. */
const DEPTHS = [1, 2, 3];

export default defineConfig({
  jsPlugins: ['./scripts/lint-clock.ts'],
  plugins: ['typescript', 'import', 'node', 'unicorn', 'oxc', 'vitest', 'promise'],
  categories: { correctness: 'error' },
  env: { node: true, es2024: true },
  ignorePatterns: ['src/shopify/generated/**', 'node_modules', 'coverage'],
  rules: {
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'import/no-default-export': 'error',
    'import/extensions': 'off',
    'node/no-process-env': 'error',
    'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }],
    'no-restricted-globals': ['error', 'fetch'],
    'no-console': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/consistent-type-imports': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/await-thenable': 'error',
    'typescript/only-throw-error': 'error',
    'typescript/switch-exhaustiveness-check': 'off',
    'typescript/no-non-null-assertion': 'error',
    'typescript/no-unnecessary-type-assertion': 'error',
    eqeqeq: 'error',
    'no-var': 'error',
    'prefer-const': 'error',
    'unicorn/filename-case': ['error', { case: 'kebabCase' }],
    'vitest/no-focused-tests': 'error',
    'vitest/no-disabled-tests': 'error',
    'vitest/require-mock-type-parameters': 'off',
    'vitest/no-conditional-expect': 'off',
    // Helpers whose names begin with one of these words assert something or wait until it is true.
    'vitest/expect-expect': [
      'error',
      {
        assertFunctionNames: [
          'expect',
          'expect*',
          'until*',
          '*.until*',
          'assert',
          'fc.assert',
          'check*',
          'eventually',
          'playMany',
        ],
      },
    ],
    'vitest/require-awaited-expect-poll': 'off',
    'vitest/valid-expect': ['error', { maxArgs: 2 }],
    'vitest/require-to-throw-message': 'off',
  },
  overrides: [
    { files: ['src/**/*.ts', 'sandbox/**/*.ts'], rules: { 'clock/use': 'error' } },
    {
      files: [
        'src/clock.ts',
        // It measures processor time.
        'src/slices.ts',
        // The queue's own SQL uses the database's time, and so do the times of jobs that are added in SQL.
        'src/jobs/**',
        'src/inbox/save-deliveries.ts',
        // The time of the database itself: for App.clock, for the defaults of columns, and of a database that another process may use.
        'src/database/**',
        'src/shops/install/installation.ts',
        // Pages use the browser's time.
        'src/admin/**',
      ],
      rules: { 'clock/use': 'off' },
    },
    // The simulator replaces methods of prototypes and calls the original ones with the same object.
    { files: ['test/simulate/world/*.ts'], rules: { 'typescript/unbound-method': 'off' } },
    // The first migration creates all tables in one SQL text.
    { files: ['migrations/*.ts'], rules: { 'max-lines': 'off' } },
    ...FOLDER_ORDER.flatMap((folder) =>
      DEPTHS.map((depth) =>
        restrict(`src/${folder}/${'*/'.repeat(depth - 1)}*.{ts,tsx}`, restrictFolder(folder, depth)),
      ),
    ),
    ...ORDERS_FOLDERS.flatMap((folder) =>
      DEPTHS.slice(1).map((depth) =>
        restrict(`src/orders/${folder}/${'*/'.repeat(depth - 2)}*.{ts,tsx}`, [
          ...restrictOrdersFolder(folder, depth - 1),
          ...restrictFolder('orders', depth),
        ]),
      ),
    ),
    restrict('sandbox/**', [
      {
        regex: String.raw`^(\.\./)+src/(?!print/|clock\.ts$)`,
        message: 'The sandbox must not import the app, except for the clock and the schemas of the print service.',
      },
      {
        regex: String.raw`^(\.\./)+src/print/(http/|(client|errors|port|open-port)\.ts$)`,
        message: 'The sandbox must not import the app, except for the schemas of the print service.',
      },
    ]),
    {
      files: ['src/print/**', 'src/shopify/**', 'sandbox/**', 'test/**'],
      rules: { 'no-restricted-globals': 'off' },
    },
    { files: ['src/config.ts', 'scripts/**', 'test/**', '*.config.ts'], rules: { 'node/no-process-env': 'off' } },
    // Shopify runs an extension's default export, and an extension calls the app with the browser's `fetch`.
    { files: ['extensions/**'], rules: { 'import/no-default-export': 'off', 'no-restricted-globals': 'off' } },
    { files: ['scripts/**', 'test/run.ts', 'test/helpers/**'], rules: { 'no-console': 'off' } },
    {
      files: ['*.config.ts', 'src/admin/vite.config.ts', 'test/helpers/global-setup.ts'],
      rules: { 'import/no-default-export': 'off' },
    },
    {
      files: ['test/**'],
      rules: {
        'max-lines': ['error', { max: 500, skipBlankLines: true, skipComments: true }],
        'typescript/no-non-null-assertion': 'off',
      },
    },
  ],
});

function restrict(files: string, patterns: Pattern[]) {
  const rule: ['error', { patterns: Pattern[] }] = ['error', { patterns }];
  return { files: [files], rules: { 'no-restricted-imports': rule } };
}

/** Returns the import rules for a folder of `src`. `depth` is the number of folders between `src` and the file. */
function restrictFolder(folder: string, depth: number): Pattern[] {
  const isFoundation = FOUNDATIONS.includes(folder);
  const above = FOLDER_ORDER.slice(0, FOLDER_ORDER.indexOf(folder));
  const others = isFoundation ? FOLDER_ORDER.filter((one) => one !== folder) : above;
  // The rates at checkout depend on the lines of a cart, not on the products at the print service.
  const forbidden = folder === 'rates' ? [...others, 'products'] : others;
  const files = APART.includes(folder) ? 'main|tasks|run-app|app|config|open-app' : 'main|tasks|run-app';
  const patterns = [
    { regex: `${up(depth)}(${files})\\.ts$`, message: `${folder} must not import ${files.replaceAll('|', ', ')}.` },
    { regex: `${up(depth + 1)}sandbox/`, message: 'Only the command line, the demo and tests may import the sandbox.' },
    { regex: `${up(depth)}(${forbidden.join('|')})/`, message: `${folder} must not import ${forbidden.join(', ')}.` },
    {
      group: ['undici', 'node:http', 'node:https', 'node:net'],
      message: 'Only http, alerts, print, shopify and the sandbox may use the network.',
    },
  ];
  return patterns.filter(({ regex, group }) => {
    if (group) return !NETWORK.includes(folder);
    if (regex === `${up(depth + 1)}sandbox/`) return !['cli', 'demo'].includes(folder);
    return forbidden.length > 0 || !regex?.endsWith('()/');
  });
}

/** Returns the import rules for a folder of `src/orders`. `depth` is the number of folders between `src/orders` and the file. */
function restrictOrdersFolder(folder: string, depth: number): Pattern[] {
  const above = ORDERS_FOLDERS.slice(0, ORDERS_FOLDERS.indexOf(folder));
  const combining = {
    regex: `${up(depth)}[a-z-]+\\.ts$`,
    message: 'A folder of src/orders must not import the files directly in src/orders, which combine the folders.',
  };
  const folders = {
    regex: `${up(depth)}(${above.join('|')})/`,
    message: `orders/${folder} must not import orders/${above.join(', ')}.`,
  };
  return above.length > 0 ? [combining, folders] : [combining];
}

function up(folders: number): string {
  return `^${String.raw`\.\./`.repeat(folders)}`;
}
