import type { App } from '../app.ts';
import { TimelineEntries } from '../database/entities/orders.ts';
import { writeTimeline } from '../orders/record/write-timeline.ts';
import type { TellScope } from './tell-scope.ts';

/** After a refusal the store is told again after 15 minutes, then after four times as long each, a day at most. */
const FIRST_MINUTES = 15;
const LONGEST_MINUTES = 24 * 60;
/** Of an order; then the next change of it tells the store again. */
const MOST_TRIES = 10;

/** That an order is due to be told, as it stood when the telling began; null: it is not. */
interface Due {
  /** As text: no digit of it may be lost. */
  dueAt: string;
  tries: number;
}

/** What is noted as due of an order. */
export async function readDue(app: App, storefrontOrderId: string): Promise<Due | null> {
  const [due]: Due[] = await app.db.query(
    `select due_at::text as "dueAt", tries from tells_due where storefront_order_id = $1`,
    [storefrontOrderId],
  );
  return due ?? null;
}

/**
 * The store was told, but for what it refuses (the operation; null: nothing): that is due again later. What became due in between stays
 * so: it has a job of its own.
 */
export async function settleDue({ app, storefrontOrder }: TellScope, due: Due | null, refused: string | null) {
  if (due === null) return;
  const asRead = [storefrontOrder.id, due.dueAt];
  if (refused === null || due.tries + 1 >= MOST_TRIES) {
    await app.db.query('delete from tells_due where storefront_order_id = $1 and due_at = $2::timestamptz', asRead);
    return;
  }
  const minutes = Math.min(FIRST_MINUTES * 4 ** due.tries, LONGEST_MINUTES);
  await app.db.query(
    'update tells_due set due_at = $3, tries = tries + 1 where storefront_order_id = $1 and due_at = $2::timestamptz',
    [...asRead, new Date(app.now().getTime() + minutes * 60_000)],
  );
  await sayRefused({ app, storefrontOrder }, refused);
}

/** Once an order. */
async function sayRefused({ app, storefrontOrder }: Pick<TellScope, 'app' | 'storefrontOrder'>, operation: string) {
  const { id: storefrontOrderId, shopId } = storefrontOrder;
  const kind = 'telling_refused';
  const { manager } = app.db;
  if (await manager.existsBy(TimelineEntries, { storefrontOrderId, kind })) return;
  const message =
    'The store does not take what it is told of this order (progress, tags, metafields or events). The order itself goes on; it is tried again, ever less often.';
  await writeTimeline(manager, { shopId, storefrontOrderId, kind, message, data: { operation } });
}
