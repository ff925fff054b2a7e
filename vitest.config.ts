import { defineConfig } from 'vitest/config';

const isDeep = process.env['PLATEN_TEST_DEEP'] === '1';

export default defineConfig({
  test: {
    include: [isDeep ? 'test/**/*.deep.ts' : 'test/**/*.test.ts'],
    globalSetup: ['test/helpers/global-setup.ts'],
    pool: 'forks',
    // A worker keeps what it has imported: most of the time of a small file is loading libraries.
    isolate: false,
    // The deep runs inject delays and wait for real time: beside many others they would only wait longer.
    maxWorkers: isDeep ? 3 : 4,
    testTimeout: isDeep ? 1_200_000 : 30_000,
    hookTimeout: 60_000,
  },
});
