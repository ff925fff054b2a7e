import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { app, demo, type Json, openTestStore, type TestStore } from './open-store.ts';

interface Asked {
  headers: IncomingHttpHeaders;
  body: string;
}

let store: TestStore;
let carrierUrl: string;
const asked: Asked[] = [];
interface Answer {
  status?: number;
  headers?: Record<string, string>;
  body: string;
}
/** The carrier service's response. `null` means that the carrier service does not respond. */
let answer: Answer | ((asked: Asked) => Answer) | null = null;

const carrier = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const one = { headers: request.headers, body: Buffer.concat(chunks).toString() };
    asked.push(one);
    const given = typeof answer === 'function' ? answer(one) : answer;
    if (given) response.writeHead(given.status ?? 200, given.headers).end(given.body);
  });
});

beforeAll(async () => {
  store = await openTestStore();
  carrier.listen(0, '127.0.0.1');
  await once(carrier, 'listening');
  const address = carrier.address();
  carrierUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/rates/token`;
});
afterAll(async () => {
  carrier.closeAllConnections();
  carrier.close();
  await store.close();
});
beforeEach(async () => {
  await store.post('/_control/reset');
  for (const { id } of await carriers()) await run('carrierServiceDelete', 'id: ID!', { id }, 'deletedId');
  asked.length = 0;
  answer = { body: JSON.stringify({ rates: [rate()] }) };
});

const rate = (more: object = {}) => ({
  service_name: 'Standard',
  service_code: 'standard',
  currency: 'USD',
  total_price: '599',
  ...more,
});

async function run(name: string, types: string, variables: object, result: string): Promise<Json> {
  const given = Object.keys(variables).map((variable) => `${variable}: $${variable}`);
  const query = `mutation(${types.replaceAll(/(\w+):/g, '$$$1:')}) { ${name}(${given.join(', ')}) { ${result} userErrors { field message code } } }`;
  const { data, errors } = await store.graphql(query, variables);
  if (errors) throw new Error(JSON.stringify(errors));
  return data[name] as Json;
}

const fields = 'carrierService { id name active callbackUrl supportsServiceDiscovery formattedName }';
const create = (more: object = {}) =>
  run(
    'carrierServiceCreate',
    'input: DeliveryCarrierServiceCreateInput!',
    { input: { name: 'Platen', callbackUrl: carrierUrl, active: true, supportsServiceDiscovery: false, ...more } },
    fields,
  );

async function carriers(query: string | null = null): Promise<{ id: string; name: string }[]> {
  const { data } = await store.graphql(
    'query($query: String) { carrierServices(first: 10, query: $query) { nodes { id name } } }',
    { query },
  );
  return data['carrierServices']?.['nodes'] as unknown as { id: string; name: string }[];
}

const change = (body: object) => store.post(`/_control/shops/${demo}`, body);

async function ask(units: Record<string, number>, more: object = {}) {
  const items = await Promise.all(
    Object.entries(units).map(async ([sku, quantity]) => ({
      variantId: (await store.variant(sku)).variantId,
      quantity,
    })),
  );
  return (await store.post('/_control/rates', { items, ...more })).body;
}

async function offered(): Promise<void> {
  await create();
  await change({ carrierInProfiles: true });
}

test('a checkout sends a signed request with the cart, and shows the rates in the response', async () => {
  await offered();
  const customer = { id: '42', tags: ['vip'] };
  const shown = await ask({ 'POSTER-13X18': 2, 'GIFT-25': 1 }, { customer });
  expect(shown).toMatchObject({ rates: [rate()], backup: false, status: 200, problems: [], ms: expect.any(Number) });
  const [{ headers, body } = { headers: {}, body: '' }] = asked;
  expect(asked).toHaveLength(1);
  expect(headers).toMatchObject({
    'content-type': 'application/json',
    'x-shopify-shop-domain': demo,
    'x-shopify-hmac-sha256': createHmac('sha256', app.apiSecret).update(body).digest('base64'),
  });
  const variantId = Number((await store.variant('POSTER-13X18')).variantId.split('/').at(-1));
  expect(JSON.parse(body)).toMatchObject({
    rate: {
      origin: { country: 'US', postal_code: '97201', province: 'OR', company_name: 'demo shop' },
      destination: { country: 'US', postal_code: '60606', province: 'IL', city: 'Chicago', name: 'Ada Miller' },
      items: [
        {
          name: 'Harbour Poster - 13 × 18 cm',
          sku: 'POSTER-13X18',
          quantity: 2,
          grams: 60,
          price: 1200,
          requires_shipping: true,
          taxable: true,
          fulfillment_service: 'manual',
          properties: null,
          variant_id: variantId,
        },
      ],
      currency: 'USD',
      locale: 'en',
      order_totals: { subtotal_price: 4900, total_price: 4900, discount_amount: 0 },
      customer: { id: 42, tags: ['vip'] },
    },
  });
});

test('rates are requested separately for each location, and a rate’s price is the sum for all parcels', async () => {
  await store.graphql('mutation { fulfillmentServiceCreate(name: "Prints") { userErrors { message } } }');
  const { variantId } = await store.variant('MUG-11OZ');
  await store.post(`/_control/variants/${encodeURIComponent(variantId)}/stock`, { location: 'service' });
  await offered();
  expect(await ask({ 'MUG-11OZ': 1, VASE: 1 })).toMatchObject({ rates: [rate({ total_price: '1198' })] });
  const services = asked.map(({ body }) => /"fulfillment_service":"(\w+)"/.exec(body)?.[1]);
  expect(services).toHaveLength(2);
  expect(new Set(services)).toEqual(new Set(['manual', 'prints']));
});
