import { defineConfig } from 'vitest/config';

const isCrash = process.env['PLATEN_TEST_CRASH'] === '1';
const isDeep = process.env['PLATEN_TEST_DEEP'] === '1' || isCrash;
const kind = isCrash ? 'crash' : isDeep ? 'deep' : 'test';

export default defineConfig({
  test: {
    include: [`test/**/*.${kind}.ts`],
    globalSetup: ['test/helpers/global-setup.ts'],
    setupFiles: ['test/helpers/check-api-calls.ts'],
    pool: 'forks',
    // Workers reuse imported modules for further test files, because a small test file spends most of its time loading libraries.
    isolate: false,
    experimental: { viteModuleRunner: false, nodeLoader: false },
    server: { deps: { inline: ['@shopify/ui-extensions-tester'] } },
    // Deep tests run in real time. With more workers in parallel, each test would only take longer.
    maxWorkers: isDeep ? 3 : 4,
    testTimeout: isDeep ? 1_200_000 : 60_000,
    hookTimeout: 60_000,
    // Polls have long timeouts, so that tests do not fail on a busy machine.
    expect: { poll: { timeout: isDeep ? 60_000 : 20_000 } },
  },
});
