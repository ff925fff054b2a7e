import type { DataSource } from 'typeorm';

const START = Date.parse('2026-11-02T09:00:00Z');

/** One clock for the app, the database and `performance.now()`. Time passes only when the test advances the clock. */
export class Clock {
  ms = START;

  now = (): Date => new Date(this.ms);

  /** The value that replaces `performance.now()`. */
  ticks = (): number => this.ms - START;
}

/** Advances the clock and the database's time together. */
export async function advanceClock(clock: Clock, db: DataSource, seconds: number): Promise<void> {
  clock.ms += Math.round(seconds * 1000);
  await setTime(clock, db);
}

export async function resetClock(clock: Clock, db: DataSource): Promise<void> {
  clock.ms = START;
  await setTime(clock, db);
}

async function setTime(clock: Clock, db: DataSource): Promise<void> {
  await db.query('update clock.instant set at = $1', [clock.now()]);
}
