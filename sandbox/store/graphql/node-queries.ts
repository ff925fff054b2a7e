import { typeOfGid } from './gid.ts';
import { notModeledError, type View } from './view.ts';

/** The query for each type of ID. Except for `lineItem`, the queries are root queries of the schema. */
const queryOf: Readonly<Record<string, string>> = {
  Order: 'order',
  LineItem: 'lineItem',
  FulfillmentOrder: 'fulfillmentOrder',
  Fulfillment: 'fulfillment',
  Product: 'product',
  ProductVariant: 'productVariant',
  InventoryItem: 'inventoryItem',
  Location: 'location',
};

/** Serves `node` and `nodes` through the root queries that read one object by its ID. */
export function nodeQueries(queries: View): View {
  const node = ({ id }: { id: string }): unknown => {
    const type = typeOfGid(id);
    if (type === undefined) return null;
    const query = queries[queryOf[type] ?? ''];
    if (typeof query !== 'function') throw notModeledError(`nodes of type ${type}`);
    return (query as (input: { id: string }) => unknown)({ id });
  };
  return { node, nodes: ({ ids }: { ids: string[] }) => ids.map((id) => node({ id })) };
}
