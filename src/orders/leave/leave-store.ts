import type { App } from '../../app.ts';
import { Shops } from '../../database/entities/shops.ts';
import { enqueueSubmit } from '../enqueue/enqueue-submit.ts';
import { PRINT_ORDER_NEEDS_FENCE } from './count-changes-to-undo.ts';
import {
  enqueueClearStore,
  enqueueSyncCarrierService,
  enqueueSyncVariants,
  enqueueWriteConnections,
} from '../../shops/enqueue-shop-jobs.ts';

/** Print orders per page. */
const PAGE = 500;

/**
 * Enqueues the jobs that undo Platen's changes for a leaving shop: `clear_store` for orders, `keep_variants` for variants,
 * `write_connections` for product metafields, `keep_carrier_service` for the carrier service and submit jobs for print orders. The submit
 * jobs fence references and delete drafts, but never cancel a confirmed order. Safe to repeat.
 */
export async function leaveStore(app: App, { shopId }: { shopId: number }): Promise<void> {
  const { manager } = app.db;
  if (!(await manager.existsBy(Shops, { id: shopId, state: 'leaving' }))) return;
  await enqueueClearStore(app.db, shopId);
  await enqueueSyncCarrierService(app.db, shopId);
  await enqueueSyncVariants(app.db, shopId, { waitSeconds: 0 });
  await enqueueWriteConnections(app.db, shopId, { waitSeconds: 0 });
  for (let after = '0'; ;) {
    const page: { id: string; storefrontOrderId: string }[] = await manager.query(TO_FENCE_OF, [shopId, after, PAGE]);
    for (const printOrder of page) await enqueueSubmit(manager, printOrder);
    const last = page.at(-1);
    if (!last || page.length < PAGE) return;
    after = last.id;
  }
}

const TO_FENCE_OF = `
  select p.id, p.storefront_order_id as "storefrontOrderId" from print_orders p
  where p.shop_id = $1 and p.id > $2 and ${PRINT_ORDER_NEEDS_FENCE} order by p.id limit $3`;
