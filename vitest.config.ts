import { defineConfig } from 'vitest/config';

const isCrash = process.env['PLATEN_TEST_CRASH'] === '1';
const isDeep = process.env['PLATEN_TEST_DEEP'] === '1' || isCrash;
const kind = isCrash ? 'crash' : isDeep ? 'deep' : 'test';

export default defineConfig({
  test: {
    include: [`test/**/*.${kind}.ts`],
    globalSetup: ['test/helpers/global-setup.ts'],
    pool: 'forks',
    // A worker keeps what it has imported: most of the time of a small file is loading libraries.
    isolate: false,
    // The deep runs inject delays and wait for real time: beside many others they would only wait longer.
    maxWorkers: isDeep ? 3 : 4,
    testTimeout: isDeep ? 1_200_000 : 60_000,
    hookTimeout: 60_000,
    // What is waited for comes in its time: a busy machine is no fault.
    expect: { poll: { timeout: isDeep ? 60_000 : 20_000 } },
  },
});
