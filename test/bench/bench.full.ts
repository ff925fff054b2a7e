import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { parseBenchArguments } from '../../bench/arguments.ts';

const BENCH = fileURLToPath(new URL('../../bench/main.ts', import.meta.url));
const MAX_MS = 600_000;

const count = z.number().positive();
/** The figures under `way`. Tools outside this repository read them, so their names must not change. */
const documentSchema = z.object({
  way: z.object({
    perOrder: z.object({
      statements: count,
      commits: count,
      adminCalls: count,
      adminCost: count,
      printCalls: count,
      jobs: count,
      appCpuMs: count,
      databaseCpuMs: process.platform === 'linux' ? count : z.null(),
    }),
    ordersPerSecond: count,
    idleTransactionsPerSecond: z.number().min(0),
    latencyMs: z.object({ p50: z.number(), p95: z.number() }),
  }),
});

test('the benchmark prints the cost of an order as one JSON document and nothing else', async () => {
  const args = [BENCH, '--only', 'way', '--orders', '3', '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: MAX_MS, maxBuffer: 1024 ** 3 });
  const { way } = documentSchema.parse(JSON.parse(stdout));
  // Each order is created, confirmed and read at the print service, and each job needs at least one statement.
  expect(way.perOrder.printCalls).toBeGreaterThanOrEqual(3);
  expect(way.perOrder.statements).toBeGreaterThan(way.perOrder.jobs);
  expect(way.latencyMs.p95).toBeGreaterThanOrEqual(way.latencyMs.p50);
});

test('the benchmark rejects an invalid argument and names it', () => {
  expect(() => parseBenchArguments(['--only', 'everything'])).toThrow('--only');
  expect(() => parseBenchArguments(['--orders', '0'])).toThrow('--orders');
});
