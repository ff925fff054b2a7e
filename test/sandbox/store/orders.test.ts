import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestStore, type TestStore, list } from './open-store.ts';

let store: TestStore;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());

const readOrder = `query ReadOrder($id: ID!) {
  order(id: $id) {
    id name test email tags displayFinancialStatus displayFulfillmentStatus currencyCode
    customer { id } customAttributes { key value }
    localizedFields(first: 5) { nodes { key value countryCode purpose } }
    shippingAddress { firstName lastName name address1 city province provinceCode zip countryCodeV2 country phone }
    shippingLines(first: 5) { nodes { title code originalPriceSet { shopMoney { amount } } } }
    currentTotalPriceSet { shopMoney { amount currencyCode } presentmentMoney { amount currencyCode } }
    lineItems(first: 10) { nodes { id sku title quantity currentQuantity unfulfilledQuantity requiresShipping isGiftCard
      customAttributes { key value } variant { id inventoryItem { id } } product { id status } } }
    fulfillmentOrders(first: 10) { nodes { id status requestStatus orderId destination { countryCode email zip }
      deliveryMethod { methodType presentedName } supportedActions { action }
      assignedLocation { name location { isFulfillmentService fulfillmentService { id } } }
      lineItems(first: 10) { nodes { totalQuantity remainingQuantity sku lineItem { id } variant { id } } } } }
    fulfillments { id }
  }
}`;

test('lines are routed to the location that stocks them, and lines that need no shipping get a separate fulfillment order', async () => {
  const order = await store.buy({ 'MUG-11OZ': 1, VASE: 1, 'GIFT-25': 1 });
  const { data } = await store.graphql(readOrder, { id: order.id });
  expect(data['order']?.['fulfillmentOrders']).toMatchObject({
    nodes: [
      {
        status: 'OPEN',
        requestStatus: 'UNSUBMITTED',
        deliveryMethod: { methodType: 'SHIPPING', presentedName: 'Standard' },
        destination: { countryCode: 'US', zip: '60606' },
        assignedLocation: {
          name: 'Main warehouse',
          location: { isFulfillmentService: false, fulfillmentService: null },
        },
        lineItems: { nodes: [{ sku: 'MUG-11OZ' }, { sku: 'VASE' }] },
      },
      { deliveryMethod: { methodType: 'NONE' }, destination: null, lineItems: { nodes: [{ sku: 'GIFT-25' }] } },
    ],
  });
});

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
