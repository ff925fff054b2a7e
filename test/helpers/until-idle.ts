import { expect, vi } from 'vitest';
import type { App } from '../../src/app.ts';

/**
 * Waits until every delivery is handled and every job that is due is done: what has not happened by now does not happen. A job that is due
 * within a second counts, since webhooks of the store are gathered.
 */
export async function untilIdle(app: App): Promise<void> {
  const countOpen = async (): Promise<number> => {
    const [row]: { open: string }[] = await app.db.query(
      `select (select count(*) from graphile_worker.jobs where run_at <= now() + interval '1 second')
         + (select count(*) from deliveries where handled_at is null) as open`,
    );
    return Number(row?.open);
  };
  await vi.waitFor(async () => expect(await countOpen()).toBe(0), { timeout: 60_000, interval: 30 });
}
