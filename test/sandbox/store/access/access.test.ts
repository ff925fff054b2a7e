import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { eventually } from '../../../helpers/eventually.ts';
import { demo, openTestStore, type TestStore } from '../open-store.ts';

let store: TestStore;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());
beforeEach(async () => {
  await store.post('/_control/reset');
});

const scopes = (change: object) => store.post(`/_control/shops/${demo}/scopes`, change);
const buy = (more: object = {}) => store.buy({ 'POSTER-13X18': 1 }, more);

test('a field whose scope is missing is null, an error names the scope, and the other fields are returned', async () => {
  const { id } = await buy();
  await scopes({ revoke: ['read_customers'] });
  const { data, errors } = await store.graphql(
    'query($id: ID!) { order(id: $id) { name customer { id } } shop { name } }',
    { id },
  );
  expect(data).toMatchObject({ order: { name: expect.any(String), customer: null }, shop: { name: 'Demo Shop' } });
  expect(errors).toEqual([
    {
      message: 'Access denied for customer field. Required access: `read_customers` access scope.',
      locations: expect.any(Array),
      path: ['order', 'customer'],
      extensions: {
        code: 'ACCESS_DENIED',
        documentation: 'https://shopify.dev/api/usage/access-scopes',
        requiredAccess: '`read_customers` access scope.',
      },
    },
  ]);
});

test('protected customer data without approval is null, with an error for each field', async () => {
  const { id } = await buy();
  const query = 'query($id: ID!) { order(id: $id) { name email shippingAddress { address1 city countryCodeV2 } } }';
  expect((await store.graphql(query, { id })).errors).toBeUndefined();
  expect((await store.post('/_control/protected-data', { approved: false })).body).toEqual({ approved: false });
  const { data, errors } = await store.graphql(query, { id });
  expect(data['order']).toMatchObject({
    name: expect.any(String),
    email: null,
    shippingAddress: { address1: null, city: 'Chicago', countryCodeV2: 'US' },
  });
  expect(errors?.map(({ path, message }) => [path, message])).toEqual([
    [
      ['order', 'email'],
      'This app is not approved to use the email field. See https://shopify.dev/docs/apps/launch/protected-customer-data for more details.',
    ],
    [['order', 'shippingAddress', 'address1'], expect.stringContaining('the address1 field')],
  ]);
  expect(errors?.[0]?.extensions).toMatchObject({ code: 'ACCESS_DENIED' });
  await store.post('/_control/protected-data', { approved: true });
  expect((await store.graphql(query, { id })).errors).toBeUndefined();
});

test('a change of scopes sends a webhook with the old and the new scopes', async () => {
  store.received.length = 0;
  await scopes({ grant: ['read_all_orders'] });
  await scopes({ grant: ['read_all_orders'] });
  await eventually(store.topics).toContain('app/scopes_update');
  expect(store.topics()).toEqual(['app/scopes_update']);
  const body = JSON.parse(String(store.received[0]?.body)) as Record<string, string[]>;
  expect(body).toMatchObject({ id: expect.any(Number), updated_at: expect.stringMatching(/Z$/) });
  expect(body['current']?.filter((scope) => !body['previous']?.includes(scope))).toEqual(['read_all_orders']);
});
