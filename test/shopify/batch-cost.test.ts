import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { AdminApi } from '../../src/shopify/admin/admin-api.ts';
import { METAFIELDS_PER_CALL, setProductMetafields } from '../../src/shopify/calls/product-metafields.ts';
import { readItemStock, setQuantities, updateVariants } from '../../src/shopify/calls/stock-flags.ts';
import {
  OPERATIONS_PER_CALL,
  readVariantsForStocking,
  toggleInventory,
  VARIANTS_PER_CALL,
} from '../../src/shopify/calls/stocking.ts';
import { MAX_COST } from '../../sandbox/store/graphql/cost.ts';
import { openTestStore, type TestStore } from '../sandbox/store/open-store.ts';

const LOCATION = 'gid://shopify/Location/1';
/** More items than any call accepts. */
const MANY = 300;

let store: TestStore;
const costs: number[] = [];
beforeAll(async () => void (store = await openTestStore()));
beforeEach(() => void costs.splice(0));
afterAll(() => store.close());

/** The store's API, which records the cost of each call. The store does not know the IDs, which does not affect the cost. */
const admin = {
  shop: 'demo.myshopify.com',
  async request({ text }: { text: string }, variables: object) {
    const { data, extensions } = await store.graphql(text, variables);
    costs.push(extensions?.cost.requestedQueryCost ?? Infinity);
    return data;
  },
} as unknown as AdminApi;

const ids = (type: string, count: number) =>
  Array.from({ length: count }, (_, at) => `gid://shopify/${type}/${at + 1}`);

test.each([
  {
    of: 'variants read for the location',
    price: 500,
    act: () => readVariantsForStocking(admin, ids('ProductVariant', VARIANTS_PER_CALL), LOCATION),
  },
  {
    of: 'variants stocked at the location',
    price: 500,
    act: () =>
      toggleInventory(admin, ids('InventoryItem', OPERATIONS_PER_CALL), { locationId: LOCATION, activate: true }),
  },
  {
    of: 'quantities read',
    price: 610,
    act: () => readItemStock(admin, ids('InventoryItem', MANY), LOCATION),
  },
  {
    of: 'variants changed, each of a different product',
    price: 500,
    act: () =>
      updateVariants(
        admin,
        ids('Product', MANY).map((productId) => ({ productId, variantId: productId, tracked: true })),
      ),
  },
  {
    of: 'quantities set, regardless of their number',
    price: 10,
    act: () => setQuantities(admin, [{ inventoryItemId: ids('InventoryItem', 1)[0] ?? '', from: 1, to: 0 }], LOCATION),
  },
  {
    of: 'metafields set',
    price: 10,
    act: () =>
      setProductMetafields(
        admin,
        ids('Product', METAFIELDS_PER_CALL).map((ownerId) => ({
          ownerId,
          key: 'connection_status',
          value: 'connected',
        })),
      ),
  },
])('a full call costs $price points, which is within the limit for a single call: $of', async ({ act, price }) => {
  await act();
  expect(Math.max(...costs)).toBe(price);
  expect(price).toBeLessThanOrEqual(MAX_COST);
});
