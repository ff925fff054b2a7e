import { connection, type PageArguments, type Position } from '../graphql/connection.ts';
import { toNumericId } from '../graphql/gid.ts';
import { inventoryItemView, productView, variantView } from './product-view.ts';
import { type Field, search } from '../graphql/search.ts';
import type { Product, Variant } from './product-state.ts';
import { notModeledError, type View } from '../graphql/view.ts';
import type { Views } from '../graphql/views.ts';

interface ListArguments extends PageArguments {
  query?: string | null;
  sortKey?: string | null;
}

/** A variant with its product. */
interface StockedVariant {
  product: Product;
  variant: Variant;
}

const productFields: Readonly<Record<string, Field<Product>>> = {
  id: { text: (product) => toNumericId(product.id) },
  updated_at: { time: (product) => product.updatedAt },
  created_at: { time: (product) => product.createdAt },
  status: { text: (product) => product.status },
  title: { text: (product) => product.title },
  handle: { text: (product) => product.handle },
  vendor: { text: (product) => product.vendor },
  tag: { text: (product) => product.tags },
  sku: { text: (product) => product.variants.flatMap(({ sku }) => sku ?? []) },
};

const variantFields: Readonly<Record<string, Field<StockedVariant>>> = {
  id: { text: ({ variant }) => toNumericId(variant.id) },
  product_id: { text: ({ product }) => toNumericId(product.id) },
  updated_at: { time: ({ variant }) => variant.updatedAt },
  sku: { text: ({ variant }) => variant.sku },
  barcode: { text: ({ variant }) => variant.barcode },
  location_id: { text: ({ variant }) => variant.inventoryItem.levels.map((level) => toNumericId(level.locationId)) },
};

/** Returns the queries for products, variants and inventory items. */
export function catalogQueries({ store, shop }: Views): View {
  const products = () => store.products(shop.domain);
  const stocked = () => products().flatMap((product) => product.variants.map((variant) => ({ product, variant })));
  const find = (id: string): StockedVariant | undefined => {
    const product = store.productOf(id);
    const variant = product?.variants.find((one) => one.id === id || one.inventoryItem.id === id);
    return product?.shop === shop.domain && variant ? { product, variant } : undefined;
  };
  const view = ({ product, variant }: StockedVariant) => variantView(store, shop, product, variant);
  const itemView = ({ product, variant }: StockedVariant) => inventoryItemView(store, shop, product, variant);
  return {
    product: ({ id }: { id: string }) => {
      const product = store.product(id);
      return product?.shop === shop.domain ? productView(store, shop, product) : null;
    },
    products: ({ query, sortKey, ...page }: ListArguments) =>
      connection(
        search(products(), query, productFields),
        page,
        (product) => productView(store, shop, product),
        productPosition(sortKey ?? 'ID'),
      ),
    productsCount: ({ query }: ListArguments) => ({
      count: search(products(), query, productFields).length,
      precision: 'EXACT',
    }),
    productVariant: ({ id }: { id: string }) => {
      const found = find(id);
      return found && id === found.variant.id ? view(found) : null;
    },
    productVariants: ({ query, sortKey, ...page }: ListArguments) => {
      if (sortKey && sortKey !== 'ID') throw notModeledError(`the sort key ${sortKey}`);
      return connection(search(stocked(), query, variantFields), page, view, ({ variant }) => [
        '',
        toNumericId(variant.id),
      ]);
    },
    inventoryItem: ({ id }: { id: string }) => {
      const found = find(id);
      return found && id === found.variant.inventoryItem.id ? itemView(found) : null;
    },
    inventoryItems: ({ query, ...page }: ListArguments) =>
      connection(search(stocked(), query, variantFields), page, itemView, ({ variant }) => [
        '',
        toNumericId(variant.inventoryItem.id),
      ]),
  };
}

function productPosition(sortKey: string): (product: Product) => Position {
  switch (sortKey) {
    case 'ID':
      return (product) => ['', toNumericId(product.id)];
    case 'UPDATED_AT':
      return (product) => [product.updatedAt, toNumericId(product.id)];
    case 'CREATED_AT':
      return (product) => [product.createdAt, toNumericId(product.id)];
    case 'TITLE':
      return (product) => [product.title, toNumericId(product.id)];
    default:
      throw notModeledError(`the sort key ${sortKey}`);
  }
}
