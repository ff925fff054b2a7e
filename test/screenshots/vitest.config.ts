import { defineConfig } from 'vitest/config';

/** `npm run screenshots` takes the pictures in `docs/images`. It is not part of any test run. */
export default defineConfig({
  test: {
    dir: 'test/screenshots',
    include: ['take-*.ts'],
    globalSetup: ['test/helpers/global-setup.ts'],
    pool: 'forks',
    testTimeout: 300_000,
    hookTimeout: 120_000,
  },
});
