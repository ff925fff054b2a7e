import { writeLater, type StatementRunner } from '../../database/write-later.ts';

/**
 * Removes the job with this key if the job has not started and its payload contains these values. If the caller collects writes, the
 * removal runs with the collected writes.
 */
export async function removeWaitingJob(runner: StatementRunner, key: string, payload: object = {}): Promise<void> {
  await writeLater(
    runner,
    'delete from graphile_worker._private_jobs where key = $1 and locked_at is null and payload::jsonb @> $2::jsonb',
    [key, JSON.stringify(payload)],
  );
}
