import { describe, expect, test } from 'vitest';
import { ensureFulfillmentService } from '../../src/shopify/calls/fulfillment-service.ts';
import { createSchemaHandler } from './create-schema-handler.ts';
import { openScriptedShopify, type Step } from './scripted-shopify.ts';

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
