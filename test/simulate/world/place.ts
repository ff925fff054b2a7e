import { AsyncLocalStorage } from 'node:async_hooks';
import type { Server } from 'node:http';
import type pg from 'pg';

/** Where code runs: a process of Platen, the machine of both stand-ins, or the judge, who sees everything without disturbing it. */
export interface Place {
  name: string;
  /** What the judge does happens at once: no step of the scheduler separates it from its effects. */
  isJudge: boolean;
  /** False once the process has died. Nothing that it waits for happens anymore. */
  isAlive: boolean;
  /** Until this time, the process is suspended. */
  suspendedUntil: number;
  /** How far the process's own clock is ahead, in milliseconds. */
  aheadMs: number;
  clients: Set<pg.Client>;
  servers: Set<Server>;
  /** The spools that its process opened. */
  spoolIds: Set<string>;
}

export function createPlace(name: string, { isJudge = false } = {}): Place {
  return {
    name,
    isJudge,
    isAlive: true,
    suspendedUntil: 0,
    aheadMs: 0,
    clients: new Set(),
    servers: new Set(),
    spoolIds: new Set(),
  };
}

const places = new AsyncLocalStorage<Place>();

/** Runs code, and everything that follows from it, at a place. */
export function runAt<Result>(place: Place, run: () => Result): Result {
  return places.run(place, run);
}

/** Returns the place of the running code, or undefined outside of a simulation. */
export function currentPlace(): Place | undefined {
  return places.getStore();
}

/** Returns a function that runs a callback where this function was called. */
export function rememberPlace(): <Result>(run: () => Result) => Result {
  return AsyncLocalStorage.snapshot();
}
