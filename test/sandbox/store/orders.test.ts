import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestStore, type TestStore, list } from './open-store.ts';

let store: TestStore;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());

const listOrders = `query List($first: Int!, $after: String, $query: String, $sortKey: OrderSortKeys, $reverse: Boolean) {
  orders(first: $first, after: $after, query: $query, sortKey: $sortKey, reverse: $reverse) {
    nodes { id updatedAt } pageInfo { hasNextPage endCursor }
  }
}`;

test('orders can be paged by their last change, and an order that changes during paging is listed again', async () => {
  const bought: string[] = [];
  for (let count = 0; count < 5; count += 1) bought.push((await store.buy({ CARDS: 1 })).id);
  const query = `updated_at:>='${new Date(store.clock.now().getTime() - 60_000).toISOString()}' status:any`;
  const all = await walk({ query, sortKey: 'UPDATED_AT' });
  expect(all.filter((id) => bought.includes(id))).toEqual(bought);
  const first = await store.graphql(listOrders, { first: all.length - 1, query, sortKey: 'UPDATED_AT' });
  await store.clock.pass(1_000);
  await store.graphql('mutation($id: ID!) { tagsAdd(id: $id, tags: ["late"]) { userErrors { message } } }', {
    id: bought[0],
  });
  const after = first.data['orders']?.['pageInfo']?.['endCursor'];
  const rest = await store.graphql(listOrders, { first: 10, after, query, sortKey: 'UPDATED_AT' });
  expect(rest.data['orders']?.['nodes']).toMatchObject([{ id: bought[4] }, { id: bought[0] }]);
  const newest = await store.graphql(listOrders, { first: 1, sortKey: 'UPDATED_AT', reverse: true });
  expect(newest.data['orders']?.['nodes']).toMatchObject([{ id: bought[0] }]);
});

async function walk(variables: object): Promise<string[]> {
  const ids: string[] = [];
  let after: unknown = null;
  do {
    const { data } = await store.graphql(listOrders, { first: 2, after, ...variables });
    const page = data['orders'];
    const pageInfo = page?.['pageInfo'] as unknown as { hasNextPage: boolean; endCursor: string };
    const nodes = list<{ id: string }>(page?.['nodes']);
    ids.push(...nodes.map(({ id }) => id));
    after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
  } while (after !== null);
  return ids;
}

test('unknown fields are refused, and an error names the fields that the stand-in does not model', async () => {
  const unknown = await store.graphql('{ shop { moon } }');
  expect(unknown.errors?.[0]?.message).toMatch(/Cannot query field "moon"/);
  const missing = await store.graphql('{ shop { name analyticsToken } }');
  expect(missing.errors?.[0]).toMatchObject({
    message: 'the sandbox store does not model Shop.analyticsToken',
    extensions: { code: 'NOT_MODELLED' },
  });
  const mutation = await store.graphql('mutation { orderClose(input: { id: "x" }) { order { id } } }');
  expect(mutation.errors?.[0]?.message).toBe('the sandbox store does not model Mutation.orderClose');
  const search = await store.graphql(listOrders, { first: 1, query: 'blue OR green' });
  expect(search.errors?.[0]?.message).toMatch(/does not model this search/);
});
