import type { Middleware } from 'koa';
import { operationOf } from './graphql-endpoint.ts';

/** Counts in memory how often each Admin API operation was called, by name and regardless of the outcome. */
export interface Calls {
  middleware(): Middleware;
  counts(): Record<string, number>;
  clear(): void;
}

/** Creates the counters, all starting at zero. */
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
