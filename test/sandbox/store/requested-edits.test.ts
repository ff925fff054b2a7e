import { readFileSync } from 'node:fs';
import { parse, print, separateOperations } from 'graphql';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type ControlOrder, openTestStore, type TestStore, until } from './open-store.ts';

let store: TestStore;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());
beforeEach(async () => {
  await store.post('/_control/reset');
  store.received.length = 0;
});

const file = new URL('../../../scripts/schema-operations/requested-order-edits.graphql', import.meta.url);
const operations = separateOperations(parse(readFileSync(file, 'utf8')));

async function run(name: string, variables: object): Promise<Record<string, unknown>> {
  const operation = operations[name];
  if (!operation) throw new Error(`no operation ${name}`);
  const { data, errors } = await store.graphql(print(operation), variables);
  if (errors) throw new Error(JSON.stringify(errors));
  return data;
}

const act = ({ id }: ControlOrder, action: string, body: object = {}) =>
  store.post(`/_control/orders/${encodeURIComponent(id)}/${action}`, body);
const read = ({ id }: ControlOrder) => run('RequestedOrderEdits', { id });
const status = async (order: ControlOrder) =>
  (await read(order))['order'] as {
    displayRequestedEditStatus: string;
    requestedOrderEdits: { nodes: { id: string }[] };
  };

test('a buyer requests to remove units, and the merchant resolves or declines the request', async () => {
  const order = await store.buy({ VASE: 2, CARDS: 1 });
  expect(await status(order)).toMatchObject({ displayRequestedEditStatus: 'NONE', requestedOrderEdits: { nodes: [] } });
  const [vase, cards] = order.lines.map(({ id }) => id);
  await act(order, 'request-edit', { lines: [{ id: vase, quantity: 2 }] });
  await act(order, 'request-edit', { lines: [{ id: cards, quantity: 1 }] });
  const { displayRequestedEditStatus, requestedOrderEdits } = await status(order);
  expect(displayRequestedEditStatus).toBe('REQUESTED');
  expect(requestedOrderEdits.nodes).toMatchObject([
    { status: 'REQUESTED', lineItems: { removals: { nodes: [{ quantity: 2, lineItem: { id: vase } }] } } },
    { status: 'REQUESTED', requestResolvedAt: null, requestDeclinedAt: null },
  ]);
  await act(order, 'decline-edit', { requestId: requestedOrderEdits.nodes[0]?.id, note: 'It is being made.' });
  expect((await status(order)).displayRequestedEditStatus).toBe('REQUESTED');
  const { body } = await act(order, 'resolve-edit');
  expect(body).toMatchObject({ requestedEdits: [{ status: 'DECLINED' }, { status: 'RESOLVED' }] });
  expect((await status(order)).displayRequestedEditStatus).toBe('RESOLVED');
  expect((await act(order, 'resolve-edit')).status).toBe(409);
  const topics = ['created', 'created', 'declined', 'resolved'].map((event) => `requested_order_edit/${event}`);
  await until(() => store.topics().filter((topic) => topic.startsWith('requested_order_edit/')).length === 4);
  expect(store.topics().filter((topic) => topic.startsWith('requested_order_edit/'))).toEqual(topics);
});
