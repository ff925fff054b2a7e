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

/** Resumes the shop's orders after a change of its settings, permissions or accounts. */
export const enqueueResumeShop = ofShop('resume_shop');

/** Brings the shop's carrier service in line with its settings. */
export const enqueueKeepCarrierService = ofShop('keep_carrier_service');

/** Updates the variants that are due. */
export const enqueueKeepVariants = ofShop('keep_variants');

/** Writes the connection metafields that differ. */
export const enqueueWriteConnections = ofShop('write_connections');

/** Removes Platen's tags, metafields and holds from the store. */
export const enqueueClearStore = ofShop('clear_store');

/** Reads variants that have a link but were never read. */
export const enqueueReadNewVariants = ofShop('read_new_variants');

/** Reads the stock of the shop's linked products. */
export const enqueueCatchUpStock = ofShop('catch_up_stock');

/** Reads the store's link metafields. */
export const enqueueCatchUpLinkMetafields = ofShop('catch_up_link_metafields');

/** Rechecks every variant in the shop that Platen has checked before. */
export async function enqueueKeepAllVariants(app: App, queryable: Queryable, shopId: number): Promise<void> {
  await queryable.query('update variants_in_store set due_at = $2 where shop_id = $1', [shopId, app.now()]);
  await enqueueKeepVariants(queryable, shopId);
}
