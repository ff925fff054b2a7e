import type { Platen } from './platen.ts';

/** Calls to the store's Admin API: the number of calls of each operation, and the total query cost that they requested. */
export interface AdminCalls {
  byName: Record<string, number>;
  calls: number;
  cost: number;
}

/** Starts counting the requests to the Admin API. The returned function returns the counts so far. */
export async function countAdminCalls(platen: Platen): Promise<() => Promise<AdminCalls>> {
  const read = async () => {
    const byName = (await platen.control('store', 'GET', '/calls')) as Record<string, number>;
    const { requested } = (await platen.control('store', 'GET', '/throttle')) as { requested: number };
    return { byName, requested };
  };
  const before = await read();
  return async () => {
    const now = await read();
    const counted = Object.entries(now.byName).map(
      ([name, count]) => [name, count - (before.byName[name] ?? 0)] as const,
    );
    return {
      byName: Object.fromEntries(counted.filter(([, count]) => count > 0)),
      calls: counted.reduce((sum, [, count]) => sum + count, 0),
      cost: now.requested - before.requested,
    };
  };
}
