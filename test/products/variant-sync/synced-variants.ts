import {
  PrintLinks,
  ProductStocks,
  VariantConnections,
  type ConnectionStatus,
} from '../../../src/database/entities/products.ts';
import { Shops, type Shop } from '../../../src/database/entities/shops.ts';
import { VariantsInStore } from '../../../src/database/entities/variants-in-store.ts';
import { syncVariants } from '../../../src/products/variant-sync/sync-variants.ts';
import { countVariantsInStore } from '../../../src/products/variant-sync/list-variants-in-store.ts';
import { startLocationSync } from '../../../src/products/variant-sync/start-location-sync.ts';
import { openTestShop } from '../../shipments/test-shop.ts';

/** The maximum number of consecutive jobs before a test fails because variants are still due. */
const MAX_ROUNDS = 10;

/** A variant's stock, as the store's control endpoint shows it. */
export interface ShownStock {
  tracked: boolean;
  inventoryPolicy: string;
  available: Record<string, number>;
}

/** Opens a test shop with helpers for variants in the store. Jobs run only when a test calls them. */
export async function openInStore() {
  const world = await openTestShop();
  const { app, shop } = world;
  const variants = await world.inStore<{ sku: string; variantId: string }[]>('/variants');
  const idOf = (sku: string): string => {
    const found = variants.find((variant) => variant.sku === sku);
    if (!found) throw new Error(`no variant ${sku}`);
    return found.variantId;
  };
  const allow = async (scope: string, isAllowed: boolean): Promise<void> => {
    const change = isAllowed ? { grant: [scope] } : { revoke: [scope] };
    await world.inStore(`/shops/demo.myshopify.com/scopes`, change);
    const [{ scopes }]: [{ scopes: string }] = await app.db.query('select scopes from shop_tokens');
    const others = scopes.split(',').filter((one) => one !== scope);
    const granted = isAllowed ? [...others, scope] : others;
    await app.db.query('update shop_tokens set scopes = $1', [granted.join(',')]);
  };
  const work = (by = app) => syncVariants(by, { shopId: shop.id });
  return {
    ...world,
    idOf,
    work,
    readShop: (): Promise<Shop> => app.db.getRepository(Shops).findOneByOrFail({ id: shop.id }),
    /**
     * Resets the store to its initial state and grants all permissions. Afterwards, no variant is connected, and each variant is stocked
     * only at the merchant's location, untracked, with a quantity of 0.
     */
    async clear(): Promise<void> {
      for (const scope of ['read_shipping', 'write_products']) await allow(scope, true);
      await app.db.query(
        'delete from variants_in_store; delete from variant_connections; delete from print_links; delete from product_stock',
      );
      await app.db.query('delete from graphile_worker._private_jobs');
      await app.db.query(`update shops set state = 'installed' where id = ${shop.id}`);
      await world.set({ stockAtLocation: false, hideOutOfStock: false, stockRegions: null, extendedCalls: true });
      const fresh = { location: 'own', available: 0, tracked: false, inventoryPolicy: 'CONTINUE' };
      for (const { variantId } of variants)
        await world.inStore(`/variants/${encodeURIComponent(variantId)}/stock`, fresh);
      await world.inStore('/shops/demo.myshopify.com/profiles', []);
      await world.inStore('/faults', []);
    },
    /** Gives variants a print link and a connection. */
    async connect(skus: string[], status: ConnectionStatus = 'connected'): Promise<void> {
      for (const sku of skus) {
        const row = { shopId: shop.id, shopifyVariantId: idOf(sku) };
        const link = { ...row, productUid: `product-${sku}`, fileUrl: 'https://files.example/a.pdf' };
        await app.db.manager.upsert(PrintLinks, link, ['shopId', 'shopifyVariantId']);
        await app.db.manager.upsert(VariantConnections, { ...row, status, updatedAt: app.clock.now() }, [
          'shopId',
          'shopifyVariantId',
        ]);
      }
    },
    /**
     * Saves the stock of a variant's product by region, as if it had been read from the print service or, if `isRead` is false, reported by
     * an event.
     */
    async reported(sku: string, statuses: Record<string, string>, isRead = true): Promise<void> {
      const at = app.clock.now();
      const rows = Object.entries(statuses).map(([stockRegionUid, status]) => {
        return { shopId: shop.id, productUid: `product-${sku}`, stockRegionUid, status, replenishmentDate: null };
      });
      await app.db.manager.save(
        ProductStocks,
        rows.map((row) => ({ ...row, isRead, changedAt: at, readAt: at })),
      );
    },
    /** Runs jobs until no variant is due. */
    async workAll(): Promise<void> {
      for (let round = 0; round < MAX_ROUNDS; round += 1) {
        await work();
        if ((await countVariantsInStore(app, shop)).due === 0) return;
      }
      throw new Error(`variants are still due after ${MAX_ROUNDS} jobs`);
    },
    /** Grants or revokes a permission in the store, and records it in Platen. */
    allow,
    /** Changes a variant's stock in the store, as the merchant does. */
    stock: (sku: string, change: object) => world.inStore(`/variants/${encodeURIComponent(idOf(sku))}/stock`, change),
    async stockOf(sku: string): Promise<ShownStock> {
      const shown = await world.inStore<{ sku: string; stock: ShownStock }[]>('/variants');
      const found = shown.find((variant) => variant.sku === sku);
      if (!found) throw new Error(`no variant ${sku}`);
      return found.stock;
    },
    /** Returns the locations at which variants are stocked, by SKU. */
    async placesOf(...skus: string[]): Promise<Record<string, string[]>> {
      const shown = await world.inStore<{ sku: string; stock: ShownStock }[]>('/variants');
      const wanted = shown.filter(({ sku }) => skus.includes(sku));
      return Object.fromEntries(wanted.map(({ sku, stock }) => [sku, Object.keys(stock.available).toSorted()]));
    },
    /** Updates the location, as `platen location apply` does. */
    async apply(): Promise<void> {
      await startLocationSync(app, await this.readShop());
      await work();
    },
    row: (sku: string) => app.db.manager.findOneBy(VariantsInStore, { shopId: shop.id, shopifyVariantId: idOf(sku) }),
    calls: () => world.inStore<Record<string, number>>('/calls'),
    /** Counts the calls of each operation during `act`. */
    async callsOf(act: () => Promise<unknown>): Promise<Record<string, number>> {
      const before = await world.inStore<Record<string, number>>('/calls');
      await act();
      const after = await world.inStore<Record<string, number>>('/calls');
      const counts = Object.entries(after).map(([name, count]) => [name, count - (before[name] ?? 0)] as const);
      return Object.fromEntries(counts.filter(([, count]) => count > 0));
    },
  };
}
export type InStoreWorld = Awaited<ReturnType<typeof openInStore>>;
