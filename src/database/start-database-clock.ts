import type { DataSource } from 'typeorm';
import { systemClock, type Clock } from '../clock.ts';

const READ_EVERY_MS = 30_000;
/** A reading that took longer than this is too imprecise to use. */
const MAX_READ_MS = 1_000;

/** The clock of a database. All processes that use the database follow it, so they agree on the time. */
interface DatabaseClock {
  clock: Clock;
  stop: () => void;
}

/**
 * Starts a clock that follows the database's time instead of this process's own clock. The clock reads the database's time at startup and
 * every 30 s, and adds the elapsed time in between. Rejects if the database does not respond at startup. If a later reading fails, the
 * previous reading remains in use.
 */
export async function startDatabaseClock(db: DataSource, readEveryMs = READ_EVERY_MS): Promise<DatabaseClock> {
  let reading = await readClock(db);
  const read = async (): Promise<void> => {
    const next = await readClock(db).catch(() => null);
    if (next !== null && next.tookMs <= MAX_READ_MS) reading = next;
  };
  const now = (): Date => new Date(reading.zeroMs + systemClock.ticks());
  return { clock: { ...systemClock, now }, stop: systemClock.every(readEveryMs, () => void read()) };
}

/** Reads the database's time. `zeroMs` is the database's time when `systemClock.ticks()` was 0. */
async function readClock(db: DataSource): Promise<{ zeroMs: number; tookMs: number }> {
  const startedAt = systemClock.ticks();
  const [row] = await db.query<{ ms: number }[]>('select extract(epoch from clock_timestamp())::float8 * 1000 as ms');
  if (!row) throw new Error('the database did not return its time');
  const endedAt = systemClock.ticks();
  return { zeroMs: row.ms - (startedAt + endedAt) / 2, tookMs: endedAt - startedAt };
}
