import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import type { App } from '../../src/app.ts';
import { systemClock } from '../../src/clock.ts';
import { PlatenError } from '../../src/errors.ts';
import { ShopifyError, type ShopifyErrorKind } from '../../src/shopify/admin/errors.ts';
import { waitForStore } from '../../src/shops/wait-for-store.ts';

const NOW = new Date('2026-11-21T10:00:00Z');
const app = { clock: { ...systemClock, now: () => NOW }, log: pino({ level: 'silent' }) } as unknown as App;

/** Runs a job that fails with this error. Returns the seconds until each job that was enqueued again runs. */
async function waits(error: Error): Promise<number[]> {
  const seconds: number[] = [];
  const run = () => Promise.reject(error);
  await waitForStore(app, run, async (runAt) => void seconds.push((runAt.getTime() - NOW.getTime()) / 1000));
  return seconds;
}

const refusal = (kind: ShopifyErrorKind, retryAfterSeconds: number | null = null) =>
  new ShopifyError(kind, { operation: 'Order', effect: 'none', retryAfterSeconds });

describe('a job that fails in a call to the store', () => {
  test.each(['throttled', 'unavailable', 'network', 'timeout'] as const)(
    'the job waits for a few seconds after the error "%s"',
    async (kind) => {
      const [seconds = 0, ...more] = await waits(refusal(kind));
      expect(more).toEqual([]);
      expect(seconds).toBeGreaterThanOrEqual(5);
      expect(seconds).toBeLessThanOrEqual(10);
    },
  );

  test.each(['forbidden', 'access_denied', 'payment_required', 'locked', 'not_found'] as const)(
    'the job waits for several minutes after the error "%s"',
    async (kind) => {
      const [seconds = 0] = await waits(refusal(kind));
      expect(seconds).toBeGreaterThanOrEqual(300);
      expect(seconds).toBeLessThanOrEqual(600);
    },
  );

  test('the job waits as long as Shopify specifies, up to a maximum', async () => {
    const [seconds = 0] = await waits(refusal('throttled', 2));
    expect(seconds).toBeGreaterThanOrEqual(2);
    expect(seconds).toBeLessThanOrEqual(4);
    const [bounded = 0] = await waits(refusal('unavailable', 1e9));
    expect(bounded).toBeLessThanOrEqual(1200);
  });

  test.each([refusal('user_error'), refusal('graphql'), new PlatenError('other', 'Other.'), new Error('a bug')])(
    'the job fails after an error that waiting cannot fix: %s',
    async (error) => {
      await expect(waits(error)).rejects.toBe(error);
    },
  );
});
