import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** `test`: what `npm test` runs. `deep`: flows and pages. `crash`: killed processes. `full`: what takes too long for each change. */
const kind = process.env['PLATEN_TEST_KIND'] ?? 'test';
const isLong = kind !== 'test';

// The workers' processes load the same modules in each run, also in watch mode, and compile them only once.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/compiled');

const shared = {
  setupFiles: 'test/helpers/check-api-calls.ts',
  pool: 'forks',
  // Workers reuse imported modules for further test files, because a small test file spends most of its time loading libraries.
  isolate: false,
  testTimeout: isLong ? 1_200_000 : 60_000,
  hookTimeout: 60_000,
  // Polls have long timeouts, so that tests do not fail on a busy machine.
  expect: { poll: { timeout: isLong ? 60_000 : 20_000 } },
} as const;

export default defineConfig({
  test: {
    globalSetup: ['test/helpers/global-setup.ts'],
    maxWorkers: isLong ? 3 : 4,
    projects: [
      {
        test: {
          ...shared,
          name: 'platen',
          include: [`test/**/*.${kind}.ts`],
          exclude: ['test/extensions/**', 'test/admin/**'],
          // Node.js runs the files, as it does in production. This also takes less time than Vite's transformation.
          experimental: { viteModuleRunner: false, nodeLoader: false },
        },
      },
      {
        test: {
          ...shared,
          name: 'components',
          include: [`test/{admin,extensions}/**/*.${kind}.ts`],
          server: { deps: { inline: ['@shopify/ui-extensions-tester'] } },
        },
      },
    ],
  },
});
