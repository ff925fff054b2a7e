import type { App } from '../../app.ts';
import { Shops, type Shop } from '../../database/entities/shops.ts';
import { NotPossibleError } from '../../errors.ts';
import { closeUnsentOrders } from '../../shops/install/close-unsent-orders.ts';

/**
 * Starts to undo all of Platen's changes for a shop before its merchant uninstalls Platen. From then on, the shop's state is `leaving`, and
 * jobs that read this state end without further changes. Unsent print orders are closed immediately. The job `leave_store` does the rest,
 * and another call resumes that work. The merchant can start using Platen again in the store's admin. Throws NotPossibleError.
 */
export async function startLeaving(app: App, { id }: Pick<Shop, 'id'>): Promise<void> {
  await app.db.transaction(async (manager) => {
    const shops = manager.getRepository(Shops);
    const shop = await shops.findOneOrFail({ where: { id }, lock: { mode: 'for_no_key_update' } });
    refuseIfUnreachable(shop);
    await shops.update({ id }, { state: 'leaving', leftAt: shop.leftAt ?? app.clock.now() });
    await closeUnsentOrders(manager, id, { reason: 'left', now: app.clock.now() });
    // Due variants are included, because a job may be about to change them in the store.
    await manager.query(
      `update variants_in_store set due_at = $2 where shop_id = $1 and (stocked_at is not null or found is not null or due_at is not null)`,
      [id, app.clock.now()],
    );
    await app.jobs.enqueue(manager, 'leave_store', { shopId: id });
  });
}

/** Throws NotPossibleError for a store that Platen cannot reach. */
export function refuseIfUnreachable({ state }: Pick<Shop, 'state'>): void {
  if (state === 'installed' || state === 'leaving') return;
  const message =
    state === 'uninstalled'
      ? 'Platen has already been removed from the store, so nothing can be undone there anymore.'
      : "Platen must sign in to the store first. Open Platen once in the store's admin.";
  throw new NotPossibleError('shop_not_installed', message);
}
