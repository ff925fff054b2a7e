import { writeLater, type StatementRunner } from '../../database/write-later.ts';

/** Removes the job of a key if it has not begun and its payload has these values; where writes are collected, with the next one. */
export async function removeWaiting(runner: StatementRunner, key: string, payload: object = {}): Promise<void> {
  await writeLater(
    runner,
    'delete from graphile_worker._private_jobs where key = $1 and locked_at is null and payload::jsonb @> $2::jsonb',
    [key, JSON.stringify(payload)],
  );
}
