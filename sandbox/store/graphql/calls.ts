import type { Middleware } from 'koa';
import { operationOf } from './graphql-door.ts';

/** How often each operation of the Admin API was called, by its name, whatever came of it; counted in memory. */
export interface Calls {
  middleware(): Middleware;
  counts(): Record<string, number>;
  clear(): void;
}

/** The counters, all at nothing. */
export function createCalls(): Calls {
  const counted = new Map<string, number>();
  return {
    middleware: () => (ctx, next) => {
      const operation = operationOf(ctx);
      if (operation !== undefined) counted.set(operation, (counted.get(operation) ?? 0) + 1);
      return next();
    },
    counts: () => Object.fromEntries([...counted].toSorted(([a], [b]) => (a < b ? -1 : 1))),
    clear: () => counted.clear(),
  };
}
