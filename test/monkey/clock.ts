import type { DataSource } from 'typeorm';
import { createClockedDatabase } from '../helpers/clocked-database.ts';
import type { TestDatabase } from '../helpers/database.ts';

/** The clock of a play. Time passes as usual, and a test can also advance it for this process and the database together. */
export interface Clock {
  /** Returns the milliseconds since 1970. */
  now(): number;
  putForward(db: DataSource, milliseconds: number): Promise<void>;
  /** Restores the process's real time. */
  restore(): void;
}

const SHIFTED = {
  tables: "create table clock.shift (by interval not null); insert into clock.shift values ('0');",
  instant: 'select pg_catalog.clock_timestamp() + by from clock.shift',
};

/** Creates a database that uses the clock's time. */
export function createShiftedDatabase(serverUrl?: string): Promise<TestDatabase> {
  return createClockedDatabase(SHIFTED, serverUrl);
}

/**
 * Replaces `Date` and `performance.now()` of this process until `restore`. The app and both stand-ins run in this process. Timers still use
 * real time, because tests only skip the time until jobs are due.
 */
export function mockClock(): Clock {
  const RealDate = Date;
  const ticks = performance.now.bind(performance);
  let shiftMs = 0;
  const now = (): number => RealDate.now() + shiftMs;
  globalThis.Date = class extends RealDate {
    constructor(...parts: unknown[]) {
      super(...((parts.length === 0 ? [now()] : parts) as [number]));
    }

    static override now = now;
  } as DateConstructor;
  performance.now = () => ticks() + shiftMs;
  return {
    now,
    async putForward(db, milliseconds) {
      shiftMs += milliseconds;
      await db.query(`update clock.shift set by = make_interval(secs => $1)`, [shiftMs / 1000]);
      // Wakes the queue, which otherwise polls only every two seconds.
      await db.query(`select pg_notify('jobs:insert', '{"r":' || random()::text || ',"count":-1}')`);
    },
    restore() {
      globalThis.Date = RealDate;
      performance.now = ticks;
    },
  };
}
