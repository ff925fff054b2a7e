import type { SubmitScope } from './submit-scope.ts';

/**
 * Returns whether a print order's known IDs are older than the quiet time. Only then does a 404 mean that the order is gone
 * (docs/rules/created-once.md#gone). If no ID is known, the time of the last create request counts, because the service may not show its
 * order yet.
 */
export async function isPermanentlyGone({ app, printOrder }: SubmitScope): Promise<boolean> {
  const [row]: { old: boolean }[] = await app.db.query(
    `select coalesce(
       coalesce((select max(seen_at) from service_orders where print_order_id = $1),
                (select max(begun_at) from submit_attempts where print_order_id = $1)) < $3::timestamptz - make_interval(secs => $2),
       true) as old`,
    [printOrder.id, app.config.print.submitQuietSeconds, app.clock.now()],
  );
  return row?.old ?? true;
}
