import { Shops } from '../../../src/database/entities/shops.ts';
import { clearConnectionStatus } from '../../../src/products/connection-metafields/clear-connection-status.ts';
import { refreshGrantedScopes } from '../../../src/shops/tokens/scopes.ts';
import { toTasks } from '../../../src/tasks.ts';
import { openTestShop } from '../../shipments/test-shop.ts';

const KEY = 'connection_status';

/** A variant of the shop with its product and its connection status. */
export interface Connected {
  id: string;
  productId: string;
  status?: string;
}

/** Opens a test shop that writes connections to metafields and has the permission. */
export async function openConnections() {
  const world = await openTestShop();
  const { app, shop, inStore } = world;

  /** Returns the values of the connection metafields in the store, by owner. */
  async function shown(): Promise<Record<string, string>> {
    const all = await inStore<{ ownerId: string; namespace: string; key: string; value: string }[]>('/metafields');
    return Object.fromEntries(all.flatMap(({ ownerId, key, value }) => (key === KEY ? [[ownerId, value]] : [])));
  }

  async function grant(change: { grant?: string[]; revoke?: string[] }): Promise<void> {
    await inStore(`/shops/${shop.domain}/scopes`, change);
    await refreshGrantedScopes(app, shop);
  }

  return {
    ...world,
    shown,
    grant,
    /** Resets the clock, removes all metafields and connections, switches the setting on, and grants its permission. */
    async clear(): Promise<void> {
      world.resetClock();
      await inStore('/reset', {});
      await app.db.getRepository(Shops).update({ id: shop.id }, { state: 'installed' });
      await grant({ grant: ['write_products'] });
      while (!(await clearConnectionStatus(app, shop)).isDone);
      await app.db.query('delete from variant_connections; delete from print_links');
      await app.db.query('delete from graphile_worker._private_jobs');
      await world.set({ writesConnectionStatus: true });
      await inStore('/throttle', { maximumAvailable: 1_000_000, restoreRate: 100_000 });
      before = await counts();
    },
    /** Returns the number of calls of an operation since `clear`. */
    async calls(operation: string): Promise<number> {
      return ((await counts())[operation] ?? 0) - (before[operation] ?? 0);
    },
    /** Adds a product with this number of variants to the store only. */
    async addProduct(title: string, variants: number): Promise<{ id: string; variantIds: string[] }> {
      const titles = Array.from({ length: variants }, (_, index) => ({ title: `No. ${index + 1}` }));
      const body = { title, variants: titles };
      const made = await inStore<{ productId: string; variants: { variantId: string }[] }>('/products', body);
      return { id: made.productId, variantIds: made.variants.map(({ variantId }) => variantId) };
    },
    /** Saves the connections of these variants, as if they were read from the service. */
    async connect(variants: readonly Connected[]): Promise<void> {
      await app.db.query(
        `insert into variant_connections (shop_id, shopify_variant_id, shopify_product_id, status)
         select $1, v.id, v."productId", coalesce(v.status, 'connected') from jsonb_to_recordset($2::jsonb) v (id text, "productId" text, status text)
         on conflict (shop_id, shopify_variant_id) do update set status = excluded.status`,
        [shop.id, JSON.stringify(variants)],
      );
    },
    /** Runs the job and the follow-up jobs that it enqueues, as if they were due. */
    async write(by = app): Promise<void> {
      await toTasks(by).write_connections({ shopId: shop.id });
      const next = `select id from graphile_worker._private_jobs where key = $1`;
      for (;;) {
        const [job]: { id: string }[] = await app.db.query(next, [`write_connections:${shop.id}`]);
        if (!job) return;
        await app.db.query('select graphile_worker.complete_jobs(array[$1::bigint])', [job.id]);
        await toTasks(by).write_connections({ shopId: shop.id });
      }
    },
  };

  async function counts(): Promise<Record<string, number>> {
    return inStore<Record<string, number>>('/calls');
  }
}

let before: Record<string, number> = {};

export type ConnectionWorld = Awaited<ReturnType<typeof openConnections>>;
