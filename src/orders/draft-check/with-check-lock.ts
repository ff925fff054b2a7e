import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';

/**
 * Runs `act` while this process is the only one that checks the shop, so that nobody deletes the draft of a running check. PostgreSQL
 * releases the lock when the database session ends, even if the process dies. Returns null without running `act` if another process holds
 * the lock.
 */
export async function withCheckLock<Result>(
  { db }: Pick<App, 'db'>,
  { id }: Pick<Shop, 'id'>,
  act: () => Promise<Result>,
): Promise<Result | null> {
  const session = db.createQueryRunner();
  try {
    const [row] = (await session.query(`select pg_try_advisory_lock(hashtext('draft_check'), $1) as held`, [id])) as {
      held: boolean;
    }[];
    if (row?.held !== true) return null;
    try {
      return await act();
    } finally {
      await session.query(`select pg_advisory_unlock(hashtext('draft_check'), $1)`, [id]);
    }
  } finally {
    await session.release();
  }
}
