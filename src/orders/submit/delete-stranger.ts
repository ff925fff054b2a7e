import { ServiceOrders } from '../../database/print-orders.ts';
import { deleteOneDraft } from './delete-draft.ts';
import type { SubmitScope } from './submit-scope.ts';

export const STRANGER_DELETED =
  'The print service had a draft that this database does not know. Platen deleted it, and waits until no other can appear.';

/**
 * Deletes a draft that no attempt of ours explains (created-once page, "Look"): this database is older than the draft. When
 * that was is kept, so that the quiet time is waited whatever wakes the print order meanwhile. Throws PrintServiceError.
 */
export async function deleteStranger(
  scope: SubmitScope,
  serviceOrderId: string,
): Promise<'deleted' | 'not_found' | 'is_order'> {
  const { app, printOrder, account } = scope;
  const row = { printOrderId: printOrder.id, printAccountId: account.id, serviceOrderId, orderType: 'draft' };
  await app.db
    .createQueryBuilder()
    .insert()
    .into(ServiceOrders)
    .values({ ...row, role: 'spare', seenAt: app.now() })
    .orIgnore()
    .execute();
  return deleteOneDraft(scope, serviceOrderId);
}

/** Seconds until the quiet time after the last such draft is over; 0 when there was none. */
export async function strangersQuietSeconds({ app, printOrder }: SubmitScope): Promise<number> {
  const [row]: { seen_at: Date | null }[] = await app.db.query(
    `select max(s.seen_at) as seen_at from service_orders s where s.print_order_id = $1 and s.role = 'spare'
       and not exists (select from submit_attempts a where a.service_order_id = s.service_order_id and a.print_order_id = $1)`,
    [printOrder.id],
  );
  if (!row?.seen_at) return 0;
  const quietMs = app.config.print.submitQuietSeconds * 1000;
  return Math.max(0, (row.seen_at.getTime() + quietMs - app.now().getTime()) / 1000);
}
