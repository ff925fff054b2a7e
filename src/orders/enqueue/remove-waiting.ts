import { writeLater, type StatementRunner } from '../../database/write-later.ts';

/** Removes a key's job if it has not started and its payload contains these values. If writes are collected, the removal is one of them. */
export async function removeWaiting(runner: StatementRunner, key: string, payload: object = {}): Promise<void> {
  await writeLater(
    runner,
    'delete from graphile_worker._private_jobs where key = $1 and locked_at is null and payload::jsonb @> $2::jsonb',
    [key, JSON.stringify(payload)],
  );
}
