import { afterAll, beforeAll } from 'vitest';
import { startPlaten, type Platen, type PlatenOptions } from './platen.ts';

/** The Platen of the test file that is running. */
export let platen: Platen;

/** Starts Platen before the tests of a file, and stops it after them. */
export function testPlaten(options?: PlatenOptions): void {
  beforeAll(async () => void (platen = await startPlaten(options)), 120_000);
  afterAll(() => platen.stop());
}
