import { typeOfGid } from './gid.ts';
import { notModelled, type View } from './view.ts';

/** Which root query reads a type of id; types that are missing here have none. */
const queryOf: Readonly<Record<string, string>> = {
  Order: 'order',
  FulfillmentOrder: 'fulfillmentOrder',
  Fulfillment: 'fulfillment',
  Product: 'product',
  ProductVariant: 'productVariant',
  InventoryItem: 'inventoryItem',
  Location: 'location',
};

/** `node` and `nodes` over the root queries that read one thing by its id. */
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
