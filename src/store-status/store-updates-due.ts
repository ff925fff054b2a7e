import type { App } from '../app.ts';
import { TimelineEntries } from '../database/entities/orders.ts';
import { writeTimeline } from '../orders/record/write-timeline.ts';
import type { UpdateScope } from './update-scope.ts';

/** After a refusal, the update is retried after 15 minutes. Each subsequent pause is four times as long, up to a day. */
const FIRST_MINUTES = 15;
const MAX_MINUTES = 24 * 60;
/** The maximum number of attempts per order. After that, Platen updates the store again only when the order changes. */
const MAX_TRIES = 10;

/** An order's due update, as read when the update started. */
interface DueUpdates {
  /** The time is read as text, so that microseconds are not lost. */
  dueAt: string;
  tries: number;
}

/** Reads an order's due update. Returns null if no update is due. */
export async function readDueUpdates(app: App, storefrontOrderId: string): Promise<DueUpdates | null> {
  const [due]: DueUpdates[] = await app.db.query(
    `select due_at::text as "dueAt", tries from store_updates_due where storefront_order_id = $1`,
    [storefrontOrderId],
  );
  return due ?? null;
}

/**
 * Removes a due update after it has run. If the store refused an operation (`refused`), the update becomes due again later. Updates that
 * became due during the run stay due and have their own job.
 */
export async function endDueUpdates(
  { app, storefrontOrder }: UpdateScope,
  due: DueUpdates | null,
  refused: string | null,
) {
  if (due === null) return;
  const asRead = [storefrontOrder.id, due.dueAt];
  if (refused === null || due.tries + 1 >= MAX_TRIES) {
    await app.db.query(
      'delete from store_updates_due where storefront_order_id = $1 and due_at = $2::timestamptz',
      asRead,
    );
    return;
  }
  const minutes = Math.min(FIRST_MINUTES * 4 ** due.tries, MAX_MINUTES);
  await app.db.query(
    'update store_updates_due set due_at = $3, tries = tries + 1 where storefront_order_id = $1 and due_at = $2::timestamptz',
    [...asRead, new Date(app.clock.now().getTime() + minutes * 60_000)],
  );
  await recordRefusedUpdate({ app, storefrontOrder }, refused);
}

/** Notes in the timeline, once per order, that the store refused an update. */
async function recordRefusedUpdate(
  { app, storefrontOrder }: Pick<UpdateScope, 'app' | 'storefrontOrder'>,
  operation: string,
) {
  const { id: storefrontOrderId, shopId } = storefrontOrder;
  const kind = 'store_update_refused';
  const { manager } = app.db;
  if (await manager.existsBy(TimelineEntries, { storefrontOrderId, kind })) return;
  const message =
    'The store refused an update to this order (progress, tags, metafields, events or Flow triggers). Platen retries it at increasing intervals. Printing and shipping are not affected.';
  await writeTimeline(manager, { shopId, storefrontOrderId, kind, message, data: { operation } });
}
