import type { App } from '../app.ts';
import { enqueue, type EnqueueOptions, type Queryable } from '../jobs/enqueue.ts';
import type { TaskName, TaskPayloads } from '../jobs/tasks.ts';

/** The tasks that concern a whole shop. */
type ShopTask = { [T in TaskName]: TaskPayloads[T] extends { shopId: number } ? T : never }[TaskName];

type EnqueueShopJob = (
  queryable: Queryable,
  shopId: number,
  when?: Pick<EnqueueOptions, 'runAt' | 'waitSeconds'>,
) => Promise<void>;

const ofShop =
  (task: ShopTask): EnqueueShopJob =>
  (queryable, shopId, when) =>
    enqueue(queryable, task, { shopId }, when);

/** Enqueues the job that resumes the shop's orders after a change of its settings, permissions or accounts. */
export const enqueueResumeShop = ofShop('resume_shop');

/** Enqueues the job that registers or removes the shop's carrier service, as its settings require. */
export const enqueueSyncCarrierService = ofShop('keep_carrier_service');

/** Enqueues the job that creates the shop's fulfillment service again if it was deleted in the store. */
export const enqueueSyncFulfillmentService = ofShop('keep_fulfillment_service');

/** Enqueues the job that updates the shop's variants that are due in the store. */
export const enqueueSyncVariants = ofShop('keep_variants');

/** Enqueues the job that updates the shop's outdated connection metafields. */
export const enqueueWriteConnections = ofShop('write_connections');

/** Enqueues the job that removes Platen's tags, metafields and holds from the store. */
export const enqueueClearStore = ofShop('clear_store');

/** Enqueues the job that reads variants with a print link that were never read from the store. */
export const enqueueReadNewVariants = ofShop('read_new_variants');

/** Enqueues the job that reads the stock of the products in the shop's print links. */
export const enqueueCatchUpStock = ofShop('catch_up_stock');

/** Enqueues the job that reads the print links in the store's metafields. */
export const enqueueCatchUpLinkMetafields = ofShop('catch_up_link_metafields');

/** Marks each of the shop's known variants as due, and enqueues the job that rechecks them. */
export async function enqueueSyncAllVariants(app: App, queryable: Queryable, shopId: number): Promise<void> {
  await queryable.query('update variants_in_store set due_at = $2 where shop_id = $1', [shopId, app.clock.now()]);
  await enqueueSyncVariants(queryable, shopId);
}
