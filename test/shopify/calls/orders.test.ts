import { describe, expect, test } from 'vitest';
import { listOrdersUpdatedSince, readOrderForPlan } from '../../../src/shopify/calls/orders.ts';
import { createSchemaHandler, connection, many } from '../create-schema-handler.ts';
import { openScriptedShopify, type Step } from '../scripted-shopify.ts';
import { fulfillment, fulfillmentOrder, order, orderId } from '../store-objects.ts';

const start = (...steps: Step[]) => openScriptedShopify(steps);

describe('an order that is read for the plan', () => {
  test('an order of ordinary size is read completely with a single call', async () => {
    const parts = { lines: 2, fulfillmentOrders: [fulfillmentOrder(1, 2)], fulfillments: [fulfillment(1, 1)] };
    const { admin, server } = await start(createSchemaHandler({ order: order(parts) }));
    const read = await readOrderForPlan(admin, orderId, { withCustomer: true });
    expect(server.calls.map((call) => call.operation)).toEqual(['OrderForPlan']);
    expect(read).toMatchObject({
      id: orderId,
      customer: { id: 'gid://shopify/Customer/7' },
      shippingAddress: { firstName: 'Ada', company: null, countryCodeV2: 'US' },
      localizedFields: [{ key: 'TAX_CREDENTIAL_BR', value: '1' }],
      shippingLines: [{ title: 'Standard', code: 'standard' }],
      lineItems: [{ sku: 'SKU-1', unfulfilledQuantity: 1 }, { sku: 'SKU-2' }],
      fulfillmentOrders: [
        { status: 'OPEN', deliveryMethod: { methodType: 'SHIPPING' }, lines: [{ remainingQuantity: 1 }, {}] },
      ],
      fulfillments: [
        {
          status: 'SUCCESS',
          trackingInfo: [{ number: 'CODE-1' }],
          lines: [{ quantity: 1, lineItem: { id: 'gid://shopify/LineItem/1' } }],
        },
      ],
      protectedFieldsMissing: [],
    });
  });

  test('an order of any size is read with all lines, fulfillment orders, fulfillments and codes, each once', async () => {
    const codes = many(12, (number) => `C${number}`);
    const parts = {
      lines: 231,
      fulfillmentOrders: many(38, (number) => fulfillmentOrder(number, number === 20 ? 215 : 1)),
      fulfillments: many(12, (number) => fulfillment(number, number === 3 ? 130 : 1, codes)),
    };
    const byId =
      (list: readonly { id: string }[]) =>
      ({ id }: { id: string }) =>
        list.find((one) => one.id === id);
    const root = {
      order: order(parts),
      fulfillment: byId(parts.fulfillments),
      fulfillmentOrder: byId(parts.fulfillmentOrders),
    };
    const { admin } = await start(createSchemaHandler(root));
    const read = await readOrderForPlan(admin, orderId, { withCustomer: true });
    expect(distinct(read?.lineItems)).toBe(231);
    expect(distinct(read?.fulfillmentOrders)).toBe(38);
    expect(distinct(read?.fulfillmentOrders[19]?.lines)).toBe(215);
    expect(distinct(read?.fulfillments)).toBe(12);
    expect(distinct(read?.fulfillments[2]?.lines)).toBe(130);
    expect(read?.fulfillments[11]?.trackingInfo.map((one) => one.number)).toEqual(codes);
  });

  test('an order lists the fields that the app is not approved to read', async () => {
    const denied = (field: string) => () => {
      throw Object.assign(new Error(`This app is not approved to use the ${field} field.`), {
        extensions: { code: 'ACCESS_DENIED' },
      });
    };
    const parts = { lines: 1, fulfillmentOrders: [fulfillmentOrder(1, 1)], fulfillments: [] };
    const shippingAddress = { ...order(parts).shippingAddress, zip: denied('zip') };
    const found = { ...order(parts), email: denied('email'), shippingAddress };
    const { admin } = await start(createSchemaHandler({ order: found }));
    const read = await readOrderForPlan(admin, orderId, { withCustomer: true });
    expect(read).toMatchObject({ email: null, shippingAddress: { firstName: 'Ada', zip: null }, name: '#1001' });
    expect(read?.protectedFieldsMissing.toSorted()).toEqual(['email', 'shippingAddress.zip']);
  });

  test('an order is read even if the store refuses to show whether the buyer has requested to remove items', async () => {
    const refused = () => {
      const extensions = { code: 'ACCESS_DENIED', requiredAccess: '`read_requests` access scope.' };
      throw Object.assign(new Error('Access denied for displayRequestedEditStatus field.'), { extensions });
    };
    const parts = { lines: 1, fulfillmentOrders: [fulfillmentOrder(1, 1)], fulfillments: [] };
    const { admin } = await start(
      createSchemaHandler({ order: { ...order(parts), displayRequestedEditStatus: refused } }),
    );
    const read = await readOrderForPlan(admin, orderId, { withCustomer: true });
    expect(read).toMatchObject({ name: '#1001', displayRequestedEditStatus: null, protectedFieldsMissing: [] });
  });

  test('the customer of an order is read only on request, so other reads need no permission for customers', async () => {
    const customer = () => {
      const extensions = { code: 'ACCESS_DENIED', requiredAccess: '`read_customers` access scope.' };
      throw Object.assign(new Error('Access denied for customer field.'), { extensions });
    };
    const found = { ...order({ lines: 1, fulfillmentOrders: [], fulfillments: [] }), customer };
    const { admin } = await start(createSchemaHandler({ order: found }));
    expect(await readOrderForPlan(admin, orderId, { withCustomer: false })).toMatchObject({ customer: null });
    const asked = readOrderForPlan(admin, orderId, { withCustomer: true });
    await expect(asked).rejects.toMatchObject({ kind: 'access_denied' });
  });

  test('an order that disappears between two pages is not returned incomplete', async () => {
    const parts = { lines: 7, fulfillmentOrders: [], fulfillments: [] };
    const { admin } = await start(createSchemaHandler({ order: order(parts) }), createSchemaHandler({ order: null }));
    await expect(readOrderForPlan(admin, orderId, { withCustomer: true })).rejects.toMatchObject({
      kind: 'unavailable',
      retryable: true,
    });
  });

  test("an order's fulfillments are read no later than its unfulfilled quantities", async () => {
    // Units that ship while pages are being read must not count as both shipped and unfulfilled.
    let calls = 0;
    const shippedMeanwhile = () => {
      calls += 1;
      const orders = many(6, (number) => fulfillmentOrder(number, 1));
      return order({ lines: 1, fulfillmentOrders: orders, fulfillments: calls > 1 ? [fulfillment(1, 1)] : [] });
    };
    const { admin } = await start(createSchemaHandler({ order: shippedMeanwhile }));
    const read = await readOrderForPlan(admin, orderId, { withCustomer: true });
    expect(calls).toBe(2);
    expect(read?.fulfillments).toEqual([]);
  });
});

describe('the orders that were updated since a given time', () => {
  const updated = many(120, (number) => ({
    id: `gid://shopify/Order/${number}`,
    name: `#${number}`,
    createdAt: '2026-11-20T10:00:00Z',
    updatedAt: '2026-11-20T10:00:00Z',
    displayFinancialStatus: 'PAID',
    cancelledAt: null,
  }));

  test('the updated orders are returned in pages, each once, sorted by update time', async () => {
    const asked: unknown[] = [];
    const orders = (args: { first: number; after: string | null; query: string; sortKey: string }) => {
      asked.push({ query: args.query, sortKey: args.sortKey });
      return connection(updated)(args);
    };
    const { admin } = await start(createSchemaHandler({ orders }));
    const pages = [];
    for await (const page of listOrdersUpdatedSince(admin, new Date('2026-11-20T09:00:00Z'))) pages.push(page);
    expect(pages.map((page) => [page.orders.length, page.cursor])).toEqual([
      [50, '50'],
      [50, '100'],
      [20, '120'],
    ]);
    expect(distinct(pages.flatMap((page) => page.orders))).toBe(120);
    expect(asked[0]).toEqual({ query: "updated_at:>='2026-11-20T09:00:00.000Z'", sortKey: 'UPDATED_AT' });
  });
});

function distinct(list: readonly { id: string }[] | undefined): number {
  return new Set(list?.map(({ id }) => id)).size;
}
