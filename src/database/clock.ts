import type { DataSource } from 'typeorm';

const READ_EVERY_MS = 30_000;
/** A reading that took longer says too little about the moment that it is of. */
const READ_MS_AT_MOST = 1_000;

/** The time by which all processes on one database decide. */
interface DatabaseClock {
  now: () => Date;
  stop: () => void;
}

/**
 * Tells the time of the database, however wrong this process' own clock is or is set meanwhile: read at the start and every 30 s, and
 * counted on in between by the time that has passed. Rejects when the database cannot be asked at the start; later the last reading counts.
 */
export async function startDatabaseClock(db: DataSource, readEveryMs = READ_EVERY_MS): Promise<DatabaseClock> {
  let reading = await readClock(db);
  const read = async (): Promise<void> => {
    const next = await readClock(db).catch(() => null);
    if (next !== null && next.tookMs <= READ_MS_AT_MOST) reading = next;
  };
  const timer = setInterval(() => void read(), readEveryMs).unref();
  return {
    now: () => new Date(reading.zeroMs + performance.now()),
    stop: () => clearInterval(timer),
  };
}

/** `zeroMs` is the database's time at which `performance.now()` was 0. */
async function readClock(db: DataSource): Promise<{ zeroMs: number; tookMs: number }> {
  const asked = performance.now();
  const [row] = await db.query<{ ms: number }[]>('select extract(epoch from clock_timestamp())::float8 * 1000 as ms');
  if (!row) throw new Error('the database did not tell the time');
  const answered = performance.now();
  return { zeroMs: row.ms - (asked + answered) / 2, tookMs: answered - asked };
}
