import { describe, expect, test } from 'vitest';
import { ensureFulfillmentService } from '../../src/shopify/calls/fulfillment-service.ts';
import { activateInventory } from '../../src/shopify/calls/stocking.ts';
import { readVariants } from '../../src/shopify/calls/products.ts';
import { createSchemaHandler, many } from './create-schema-handler.ts';
import { openScriptedShopify } from './scripted-shopify.ts';
import type { Step } from './scripted-shopify.ts';

const start = (...steps: Step[]) => openScriptedShopify(steps);

describe('the fulfillment service of a shop', () => {
  const callbackUrl = 'https://platen.example/fulfillment';
  const location = { id: 'gid://shopify/Location/9' };
  const service = {
    id: 'gid://shopify/FulfillmentService/1',
    handle: 'platen',
    serviceName: 'Platen',
    callbackUrl,
    location,
  };
  const other = { ...service, id: 'gid://shopify/FulfillmentService/2', serviceName: 'Other' };
  const ensured = { id: service.id, handle: 'platen', locationId: location.id, callbackUrl };

  test('the fulfillment service is found by its ID if it was renamed, and by its name if the ID no longer exists', async () => {
    const renamed = { ...service, serviceName: 'Posters' };
    const { admin, server } = await start(createSchemaHandler({ shop: { fulfillmentServices: [other, renamed] } }));
    expect(await ensureFulfillmentService(admin, 'Platen', callbackUrl, service.id)).toEqual(ensured);
    expect(server.calls).toHaveLength(1);
    const { admin: later } = await start(createSchemaHandler({ shop: { fulfillmentServices: [other, service] } }));
    expect(await ensureFulfillmentService(later, 'Platen', callbackUrl, 'gid://shopify/FulfillmentService/9')).toEqual(
      ensured,
    );
  });

  test('the fulfillment service gets the new callback URL if its current URL differs', async () => {
    const root = {
      shop: { fulfillmentServices: [{ ...service, callbackUrl: 'https://old.example' }] },
      fulfillmentServiceUpdate: { fulfillmentService: service, userErrors: [] },
    };
    const { admin, server } = await start(createSchemaHandler(root));
    expect(await ensureFulfillmentService(admin, 'Platen', callbackUrl)).toEqual(ensured);
    expect(server.calls[1]?.variables).toEqual({ id: service.id, callbackUrl });
  });

  test('if the location of a deleted service still has the name, the new service gets the name with a number', async () => {
    const taken = {
      fulfillmentService: null,
      userErrors: [{ field: ['name'], message: 'Name has already been taken' }],
    };
    const root = {
      shop: { fulfillmentServices: [] as unknown[] },
      fulfillmentServiceCreate: ({ name }: { name: string }) =>
        name === 'Platen' ? taken : { fulfillmentService: { ...service, serviceName: name }, userErrors: [] },
    };
    const { admin, server } = await start(createSchemaHandler(root));
    expect(await ensureFulfillmentService(admin, 'Platen', callbackUrl)).toEqual(ensured);
    expect(server.calls.map(({ variables }) => variables?.['name'])).toEqual([undefined, 'Platen', 'Platen 2']);
    root.shop.fulfillmentServices = [{ ...service, serviceName: 'Platen 2' }];
    expect(await ensureFulfillmentService(admin, 'Platen', callbackUrl)).toEqual(ensured);
  });
});

describe('an inventory item of a shop', () => {
  const level = { id: 'gid://shopify/InventoryLevel/1', isActive: true };

  test('an inventory item is stocked at a location with a new idempotency key each time', async () => {
    const { admin, server } = await start(
      createSchemaHandler({ inventoryActivate: { inventoryLevel: level, userErrors: [] } }),
    );
    await activateInventory(admin, 'gid://shopify/InventoryItem/1', 'gid://shopify/Location/9');
    await activateInventory(admin, 'gid://shopify/InventoryItem/1', 'gid://shopify/Location/9');
    const [one, two] = server.calls.map((call) => call.variables);
    expect(one).toMatchObject({
      inventoryItemId: 'gid://shopify/InventoryItem/1',
      locationId: 'gid://shopify/Location/9',
    });
    expect(one?.['key']).not.toBe(two?.['key']);
  });
});

test('variants are read by their IDs, a hundred per call, and IDs of other objects are omitted', async () => {
  const variantOf = (id: string) => ({
    __typename: 'ProductVariant',
    id,
    sku: 'S',
    title: 'M',
    product: { id: 'gid://shopify/Product/1', title: 'Shirt', status: 'ACTIVE' },
    inventoryItem: { id: id.replace('ProductVariant', 'InventoryItem'), tracked: false, requiresShipping: true },
  });
  const nodes = ({ ids }: { ids: string[] }) =>
    ids.map((id) => {
      if (id.includes('/Order/')) return { __typename: 'Order', id };
      return id.endsWith('/7') ? null : variantOf(id);
    });
  const { admin, server } = await start(createSchemaHandler({ nodes }));
  const ids = [...many(120, (number) => `gid://shopify/ProductVariant/${number}`), 'gid://shopify/Order/1'];
  const variants = await readVariants(admin, ids);
  expect(server.calls).toHaveLength(2);
  expect(variants).toHaveLength(119);
  expect(variants[0]).toMatchObject({ id: ids[0], inventoryItem: { id: 'gid://shopify/InventoryItem/1' } });
  expect(await readVariants(admin, [])).toEqual([]);
});
