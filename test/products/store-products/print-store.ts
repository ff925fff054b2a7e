import { Shops, type Shop } from '../../../src/database/entities/shops.ts';
import { parseEvent } from '../../../src/print/events.ts';
import { receiveStoreProductEvent } from '../../../src/products/store-products/receive-store-product-event.ts';
import type { TaskName } from '../../../src/jobs/tasks.ts';
import type { TypedDocument } from '../../../src/shopify/admin/typed-document.ts';
import { openAdmin } from '../../../src/shops/tokens/tokens.ts';
import { openTestShop, runJobs, type TestShop } from '../../shipments/test-shop.ts';

/** A product as the print stand-in returns it. */
export interface ServiceProduct {
  id: string;
  storeId: string;
  externalId: string | null;
  variants: { id: string; externalId: string | null; connectionStatus: string }[];
}

/** A product of the demo shop, with its ID and the IDs of its variants by SKU, as digits. */
export interface ShopProduct {
  productId: string;
  variants: Record<string, string>;
}

const TASKS = 'read_store_product share_store_product read_product read_new_variants plan_connected_orders'.split(
  ' ',
) as TaskName[];
const digits = (gid: string | undefined) => gid?.split('/').at(-1) ?? '';

/** Opens a test shop with its own store at the print service. */
export async function openPrintStore() {
  const world = await openTestShop();
  const store = { id: '' };

  /** Resets products, jobs, the print key, faults and the clock, and creates a new store at the service. */
  async function clear(): Promise<void> {
    const { app, shop } = world;
    world.resetClock();
    await app.db.query('delete from store_products; delete from variant_connections; delete from print_stores');
    await app.db.query('delete from print_links');
    await app.db.query('delete from storefront_orders; delete from poll_passes; delete from poll_news');
    await app.db.query('delete from graphile_worker._private_jobs');
    await app.db.query('delete from shops where id <> $1', [shop.id]);
    await app.db.getRepository(Shops).update({ id: shop.id }, { printAccountId: shop.printAccountId });
    for (const faults of [world.inPrint, world.inStore]) await faults('/faults', []);
    store.id = (await world.inPrint<{ id: string }>('/stores', {})).id;
  }
  await clear();

  async function remove(url: string, path: string): Promise<void> {
    const answer = await fetch(`${url}/_control${path}`, { method: 'DELETE' });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  }

  return {
    ...world,
    clear,
    get storeId(): string {
      return store.id;
    },
    /** Returns the demo shop's product with a variant of this SKU. */
    shopProduct: (sku: string) => findShopProduct(world, sku),
    /** Adds a product at the print service that belongs to the shop's product. Variants without a status in `statuses` are connected. */
    addProduct: (product: ShopProduct, change: Record<string, unknown> = {}, statuses: Record<string, string> = {}) =>
      world.inPrint<ServiceProduct>(`/stores/${store.id}/products`, {
        title: 'Harbour',
        externalId: product.productId,
        variants: Object.entries(product.variants).map(([title, externalId]) => ({
          title,
          externalId,
          connectionStatus: statuses[title] ?? 'connected',
        })),
        ...change,
      }),
    changeProduct: (id: string, change: Record<string, unknown>) =>
      world.inPrint<ServiceProduct>(`/store-products/${id}`, change),
    deleteProduct: (id: string) => remove(world.printUrl, `/store-products/${id}`),
    /** Returns the number of calls of an operation in the store. */
    callsOf: async (operation: string) => (await world.inStore<Record<string, number>>('/calls'))[operation] ?? 0,
    deleteInShop: (kind: 'products' | 'variants', id: string) => remove(world.storeUrl, `/${kind}/${id}`),
    /** Delivers an event to the shop and runs the reads that follow. */
    async tell(event: string, storeProductId: string, body: Record<string, unknown> = {}, shop: Shop = world.shop) {
      const payload = { id: 'sp_1', event, storeProductId, storeId: store.id, ...body };
      const result = await receiveStoreProductEvent(world.app, shop, parseEvent(payload));
      await runJobs(world.app, TASKS);
      return result;
    },
    run: () => runJobs(world.app, TASKS),
    /** Returns the connection of each variant of a product, by SKU. */
    async connections({ variants }: ShopProduct, shop: Pick<Shop, 'id'> = world.shop) {
      const rows: { id: string; status: string; reason: string | null }[] = await world.app.db.query(
        'select shopify_variant_id as id, status, reason from variant_connections where shop_id = $1',
        [shop.id],
      );
      const of = (variant: string) => rows.find(({ id }) => digits(id) === variant);
      return Object.fromEntries(
        Object.entries(variants).map(([sku, variant]) => {
          const row = of(variant);
          return [sku, row ? (row.reason === null ? row.status : `${row.status}: ${row.reason}`) : null];
        }),
      );
    },
    /** Adds another shop that uses the same print account. */
    async addShopOfAccount(domain: string): Promise<Shop> {
      const { printAccountId } = world.shop;
      const { id } = await world.app.db
        .getRepository(Shops)
        .save({ domain, currency: 'USD', takesOrdersFrom: new Date(), printAccountId });
      return world.app.db.getRepository(Shops).findOneByOrFail({ id });
    },
  };
}

export type PrintStoreWorld = Awaited<ReturnType<typeof openPrintStore>>;

interface FoundProducts {
  products: { nodes: { id: string; variants: { nodes: { id: string; sku: string }[] } }[] };
}

const FindProduct: TypedDocument<FoundProducts, { query: string }> = {
  name: 'FindProduct',
  kind: 'query',
  text: `query FindProduct($query: String) {
    products(first: 1, query: $query) { nodes { id variants(first: 50) { nodes { id sku } } } }
  }`,
};

async function findShopProduct({ app, shop }: TestShop, sku: string): Promise<ShopProduct> {
  const admin = await openAdmin(app, shop);
  const { products } = await admin.request(FindProduct, { query: `sku:${sku}` });
  const [product] = products.nodes;
  if (!product) throw new Error(`The demo shop has no product with the SKU ${sku}.`);
  return {
    productId: digits(product.id),
    variants: Object.fromEntries(product.variants.nodes.map((one) => [one.sku, digits(one.id)])),
  };
}
