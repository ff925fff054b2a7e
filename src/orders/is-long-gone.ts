import type { SubmitScope } from './submit-scope.ts';

/** Whether the ids known of a print order are older than the quiet time: only then does a 404 mean gone (created-once page, "Gone"). */
export async function isLongGone({ app, printOrder }: SubmitScope): Promise<boolean> {
  const [row]: { old: boolean }[] = await app.db.query(
    `select coalesce(max(seen_at) < now() - make_interval(secs => $2), true) as old from service_orders where print_order_id = $1`,
    [printOrder.id, app.config.print.submitQuietSeconds],
  );
  return row?.old ?? true;
}
