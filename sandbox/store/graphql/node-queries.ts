import { typeOfGid } from './gid.ts';
import { notModelled, type View } from './view.ts';

/** The root query for each type of ID. Types that are not listed have no root query. */
const queryOf: Readonly<Record<string, string>> = {
  Order: 'order',
  FulfillmentOrder: 'fulfillmentOrder',
  Fulfillment: 'fulfillment',
  Product: 'product',
  ProductVariant: 'productVariant',
  InventoryItem: 'inventoryItem',
  Location: 'location',
};

/** Serves `node` and `nodes` with the root queries that read one object by its ID. */
export function nodeQueries(queries: View): View {
  const node = ({ id }: { id: string }): unknown => {
    const type = typeOfGid(id);
    if (type === undefined) return null;
    const query = queries[queryOf[type] ?? ''];
    if (typeof query !== 'function') throw notModelled(`nodes of type ${type}`);
    return (query as (input: { id: string }) => unknown)({ id });
  };
  return { node, nodes: ({ ids }: { ids: string[] }) => ids.map((id) => node({ id })) };
}
