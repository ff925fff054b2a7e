import { IsNull } from 'typeorm';
import type { App } from '../../app.ts';
import { Backfills, type Backfill } from '../../database/entities/backfills.ts';
import type { EnqueueOptions, Queryable } from '../../jobs/enqueue.ts';
import { BULK } from '../../jobs/priorities.ts';

/** Enqueues a backfill's next page in the shop's separate backfill queue. */
export async function enqueueBackfill(
  app: App,
  queryable: Queryable,
  { id: backfillId, shopId }: Pick<Backfill, 'id' | 'shopId'>,
  options: Pick<EnqueueOptions, 'runAt'> = {},
): Promise<void> {
  const place = { queue: `backfill:${shopId}`, key: `backfill:${shopId}`, priority: BULK };
  await app.jobs.enqueue(queryable, 'backfill', { backfillId }, { ...place, ...options });
}

/** Resumes a backfill at a given time, unless it has ended. */
export async function resumeBackfill(app: App, id: string, runAt: Date): Promise<void> {
  const backfill = await app.db.manager.findOneBy(Backfills, { id, finishedAt: IsNull() });
  if (backfill) await enqueueBackfill(app, app.db, backfill, { runAt });
}

/** Resumes the shop's unfinished backfills, for example after a sign-in. */
export async function resumeBackfills(app: App, shopId: number): Promise<void> {
  for (const backfill of await app.db.manager.findBy(Backfills, { shopId, finishedAt: IsNull() }))
    await enqueueBackfill(app, app.db, backfill);
}
