import type { App } from '../app.ts';
import { PlatenError } from '../errors.ts';
import type { PassResult, TaskName } from '../jobs/tasks.ts';

/**
 * Runs a poll pass and records its result in `poll_passes` once, at the end. The metrics read this table. If a pass of one shop found
 * changes or failed, the log of the shop's polls records it too. If the pass throws, it counts as a failure, and the error is rethrown.
 */
export async function runPass(
  app: App,
  { pass, shopId = null }: { pass: TaskName; shopId?: number | null },
  run: () => Promise<PassResult>,
): Promise<void> {
  const startedAt = app.clock.now();
  const begun = app.clock.ticks();
  const elapsed = (): number => Math.round(app.clock.ticks() - begun);
  let result: PassResult;
  try {
    result = await run();
  } catch (error) {
    const failed = { pass, shopId, startedAt, ms: elapsed(), found: 0, fixed: 0, error: toCode(error) };
    await savePass(app, failed).catch((cause: unknown) =>
      app.log.warn({ pass, error: cause }, 'the result of a poll could not be stored'),
    );
    throw error;
  }
  const { found, fixed, error = null } = result;
  const ms = elapsed();
  await savePass(app, { pass, shopId, startedAt, ms, found, fixed, error });
  // On success, the key `error` is omitted, because it would look like a failure in a log search.
  const failure = error === null ? {} : { error };
  const details = { pass, shopId, found, fixed, ...failure, ms };
  if (found > 0) app.log.info(details, 'a poll found changes');
  else app.log.debug(details, 'a poll found no changes');
}

interface Outcome extends Required<PassResult> {
  pass: TaskName;
  shopId: number | null;
  startedAt: Date;
  ms: number;
}

/**
 * A shop that is erased during the pass gets no row. The log has one row per poll and hour, so that its size does not depend on the
 * interval of the polls. Runs that found nothing are not logged.
 */
async function savePass(app: App, { pass, shopId, startedAt, ms, found, fixed, error }: Outcome): Promise<void> {
  await app.db.query(
    `with logged as (
       insert into poll_log as l (shop_id, pass, hour, first_started_at, last_ended_at, longest_ms, found, fixed, failures, last_error)
       select id, $1, date_trunc('hour', $3::timestamptz, 'UTC'), $3, $4, $8::int, $5, $6, case when $7::text is null then 0 else 1 end, $7
       from shops where id = $2 and ($5::int > 0 or $7::text is not null)
       on conflict (shop_id, pass, hour) do update set
         last_ended_at = excluded.last_ended_at, longest_ms = greatest(l.longest_ms, excluded.longest_ms), runs = l.runs + 1,
         found = l.found + excluded.found, fixed = l.fixed + excluded.fixed, failures = l.failures + excluded.failures,
         last_error = coalesce(excluded.last_error, l.last_error))
     insert into poll_passes as p
       (pass, shop_id, last_started_at, last_ended_at, last_succeeded_at, last_found, found, mended, runs, failures, last_error)
     select $1, $2::int, $3::timestamptz, $4::timestamptz, case when $7::text is null then $4::timestamptz end, $5::int, $5::int, $6::bigint, 1,
       case when $7::text is null then 0 else 1 end, $7
     where $2::int is null or exists (select from shops where id = $2)
     on conflict (pass, shop_id) do update set
       last_started_at = excluded.last_started_at, last_ended_at = excluded.last_ended_at,
       last_succeeded_at = coalesce(excluded.last_succeeded_at, p.last_succeeded_at),
       last_found = excluded.last_found, found = p.found + excluded.found, mended = p.mended + excluded.mended, runs = p.runs + 1,
       failures = p.failures + excluded.failures, last_error = coalesce(excluded.last_error, p.last_error)`,
    [pass, shopId, startedAt, app.clock.now(), found, fixed, error, ms],
  );
}

/** Returns one of Platen's or the database's error codes, never a message. */
function toCode(error: unknown): string {
  if (error instanceof PlatenError) return error.code;
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return typeof code === 'string' ? code : 'unexpected';
}
