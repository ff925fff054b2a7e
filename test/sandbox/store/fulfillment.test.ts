import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type ControlOrder, type GraphqlAnswer, type Json, openTestStore, type TestStore, text } from './open-store.ts';

let store: TestStore;
beforeAll(async () => {
  store = await openTestStore();
  await makeService();
  for (const sku of ['POSTER-13X18', 'POSTER-30X40']) await stock(sku, 'service');
});
afterAll(() => store.close());
beforeEach(() => {
  store.received.length = 0;
});

async function makeService(): Promise<void> {
  const create = `mutation($url: URL!) { fulfillmentServiceCreate(name: "Prints", callbackUrl: $url) { userErrors { message } } }`;
  await store.graphql(create, { url: `${store.appUrl}/fulfillment` });
}

async function stock(sku: string, location: string): Promise<void> {
  const { variantId } = await store.variant(sku);
  await store.post(`/_control/variants/${encodeURIComponent(variantId)}/stock`, { location });
}

const fields = `id status requestStatus supportedActions { action }
  lineItems(first: 10) { nodes { id totalQuantity remainingQuantity lineItem { id sku } } }
  fulfillmentHolds { id reason heldByRequestingApp } merchantRequests(first: 5) { nodes { kind message } }
  assignedLocation { location { id isFulfillmentService } }`;

interface ReadFulfillmentOrder {
  id: string;
  status: string;
  requestStatus: string;
  supportedActions: { action: string }[];
  lineItems: { nodes: { id: string; totalQuantity: number; remainingQuantity: number; lineItem: { id: string } }[] };
  fulfillmentHolds: { id: string }[];
  assignedLocation: { location: { id: string; isFulfillmentService: boolean } };
}

/** Returns the fulfillment orders of an order as the Admin API lists them. */
async function read({ id }: ControlOrder): Promise<ReadFulfillmentOrder[]> {
  const query = `query($id: ID!) { order(id: $id) { fulfillmentOrders(first: 20) { nodes { ${fields} } } } }`;
  const { data } = await store.graphql(query, { id });
  return data['order']?.['fulfillmentOrders']?.['nodes'] as unknown as ReadFulfillmentOrder[];
}

async function only(order: ControlOrder): Promise<ReadFulfillmentOrder> {
  const [first, ...others] = await read(order);
  if (!first || others.length > 0) throw new Error('expected exactly one fulfillment order');
  return first;
}

/** Runs a mutation and returns its payload. `types` declares the arguments, such as `id: ID!`, and `variables` has their values. */
async function mutate(name: string, types: string, variables: object, result: string): Promise<Json> {
  const declared = types.replaceAll(/(\w+):/g, '$$$1:');
  const given = Object.keys(variables).map((variable) => `${variable}: $${variable}`);
  const answer: GraphqlAnswer = await store.graphql(
    `mutation(${declared}) { ${name}(${given.join(', ')}) { ${result} userErrors { field message } } }`,
    variables,
  );
  if (answer.errors) throw new Error(JSON.stringify(answer.errors));
  return answer.data[name] as Json;
}

const onFulfillmentOrder = (name: string, id: string) =>
  mutate(name, 'id: ID!', { id }, 'fulfillmentOrder { status requestStatus supportedActions { action } }');

const submit = (id: string, fulfillmentOrderLineItems: object[] | null = null) =>
  mutate(
    'fulfillmentOrderSubmitFulfillmentRequest',
    'id: ID!, fulfillmentOrderLineItems: [FulfillmentOrderLineItemInput!]',
    { id, fulfillmentOrderLineItems },
    `originalFulfillmentOrder { ${fields} } submittedFulfillmentOrder { ${fields} } unsubmittedFulfillmentOrder { ${fields} }`,
  );

async function accepted(units: Record<string, number>): Promise<{ order: ControlOrder; line: ReadFulfillmentOrder }> {
  const order = await store.buy(units);
  const { id } = await only(order);
  await submit(id);
  await onFulfillmentOrder('fulfillmentOrderAcceptFulfillmentRequest', id);
  return { order, line: await only(order) };
}

const create = (parts: object[], more: object = {}) =>
  mutate(
    'fulfillmentCreate',
    'fulfillment: FulfillmentInput!',
    { fulfillment: { lineItemsByFulfillmentOrder: parts, ...more } },
    `fulfillment { id name status totalQuantity trackingInfo { company number url }
      fulfillmentLineItems(first: 5) { nodes { quantity lineItem { id } } } fulfillmentOrders(first: 5) { nodes { id } } }`,
  );

const wholly = ({ id }: ReadFulfillmentOrder) => [{ fulfillmentOrderId: id }];

test('canceling a fulfillment reopens its units', async () => {
  const { order, line } = await accepted({ 'POSTER-13X18': 2 });
  const made = await create(wholly(line));
  const id = text(made['fulfillment']?.['id']);
  const cancel = () => mutate('fulfillmentCancel', 'id: ID!', { id }, 'fulfillment { status }');
  expect(await cancel()).toMatchObject({ fulfillment: { status: 'CANCELLED' }, userErrors: [] });
  expect((await cancel())['userErrors']).toHaveLength(1);
  expect(await read(order)).toMatchObject([
    { status: 'CLOSED' },
    { status: 'OPEN', requestStatus: 'UNSUBMITTED', lineItems: { nodes: [{ remainingQuantity: 2 }] } },
  ]);
  expect((await store.order(order.id)).fulfillments).toEqual([]);
});

test('a cancellation can be requested, rejected, requested again and accepted', async () => {
  const { order, line } = await accepted({ 'POSTER-13X18': 1 });
  const ask = () => onFulfillmentOrder('fulfillmentOrderSubmitCancellationRequest', line.id);
  expect((await ask())['fulfillmentOrder']).toMatchObject({
    status: 'IN_PROGRESS',
    requestStatus: 'CANCELLATION_REQUESTED',
  });
  const refused = await onFulfillmentOrder('fulfillmentOrderRejectCancellationRequest', line.id);
  expect(refused['fulfillmentOrder']).toMatchObject({ status: 'IN_PROGRESS', requestStatus: 'CANCELLATION_REJECTED' });
  await ask();
  const done = await onFulfillmentOrder('fulfillmentOrderAcceptCancellationRequest', line.id);
  expect(done['fulfillmentOrder']).toMatchObject({ status: 'CANCELLED', requestStatus: 'CANCELLATION_ACCEPTED' });
  expect((await submit((await only(order)).id))['userErrors']).toEqual([]);
});

test('canceling an order sends a request to the service that accepted it and cancels the rest immediately', async () => {
  const order = await store.buy({ 'POSTER-13X18': 1, VASE: 1 });
  const [ours] = await read(order);
  await submit(ours!.id);
  await onFulfillmentOrder('fulfillmentOrderAcceptFulfillmentRequest', ours!.id);
  await store.post(`/_control/orders/${encodeURIComponent(order.id)}/cancel`);
  expect(await read(order)).toMatchObject([
    { status: 'IN_PROGRESS', requestStatus: 'CANCELLATION_REQUESTED' },
    { status: 'CANCELLED', lineItems: { nodes: [{ remainingQuantity: 0 }] } },
  ]);
  await onFulfillmentOrder('fulfillmentOrderAcceptCancellationRequest', ours!.id);
  expect((await read(order))[0]).toMatchObject({
    status: 'CANCELLED',
    lineItems: { nodes: [{ remainingQuantity: 0 }] },
  });
});

test('a held fulfillment order cannot be shipped until it is released', async () => {
  const order = await store.buy({ VASE: 2 });
  const { id, lineItems } = await only(order);
  const hold = (fulfillmentHold: object) =>
    mutate(
      'fulfillmentOrderHold',
      'id: ID!, fulfillmentHold: FulfillmentOrderHoldInput!',
      { id, fulfillmentHold },
      `fulfillmentHold { id reason heldByRequestingApp } remainingFulfillmentOrder { ${fields} } fulfillmentOrder { status }`,
    );
  const part = [{ id: lineItems.nodes[0]?.id, quantity: 1 }];
  const held = await hold({ reason: 'INCORRECT_ADDRESS', handle: 'a', fulfillmentOrderLineItems: part });
  expect(held).toMatchObject({
    fulfillmentHold: { reason: 'INCORRECT_ADDRESS', heldByRequestingApp: true },
    fulfillmentOrder: { status: 'ON_HOLD' },
    remainingFulfillmentOrder: { status: 'OPEN', lineItems: { nodes: [{ remainingQuantity: 1 }] } },
  });
  expect((await hold({ reason: 'OTHER', handle: 'a' }))['userErrors']).toMatchObject([
    { field: ['fulfillmentHold', 'handle'] },
  ]);
  await hold({ reason: 'OTHER', handle: 'b' });
  const blocked = await create([{ fulfillmentOrderId: id }]);
  expect(blocked['userErrors']).toMatchObject([{ message: expect.stringMatching(/unfulfillable status= on_hold/) }]);
  const release = (holdIds: unknown[] | null) =>
    mutate('fulfillmentOrderReleaseHold', 'id: ID!, holdIds: [ID!]', { id, holdIds }, 'fulfillmentOrder { status }');
  expect(await release([held['fulfillmentHold']?.['id']])).toMatchObject({ fulfillmentOrder: { status: 'ON_HOLD' } });
  expect(await release(null)).toMatchObject({ fulfillmentOrder: { status: 'OPEN' } });
  expect((await release(null))['userErrors']).toHaveLength(1);
});
