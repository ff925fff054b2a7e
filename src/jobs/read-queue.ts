import type { Queryable } from './enqueue.ts';

export interface QueueReading {
  /** Jobs that could run now but have not started. */
  due: number;
  /** Seconds since the oldest due job became due, or 0 if no job is due. */
  oldestSeconds: number;
}

/** Reads how much work is waiting for a worker. The cost grows with the queue, which contains only open jobs. */
export async function readQueue(queryable: Queryable): Promise<QueueReading> {
  const rows = await queryable.query(
    `select count(*)::int as due,
       greatest(0, coalesce(extract(epoch from clock_timestamp() - min(run_at)), 0))::float8 as "oldestSeconds"
     from graphile_worker._private_jobs where is_available and run_at <= now()`,
  );
  return (rows as QueueReading[])[0] ?? { due: 0, oldestSeconds: 0 };
}
