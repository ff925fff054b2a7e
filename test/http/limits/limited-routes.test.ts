import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Shops, type Shop } from '../../../src/database/entities/shops.ts';
import { signPackingSlipLink } from '../../../src/http/sign-in/packing-slip-link.ts';
import { hashRatesToken } from '../../../src/rates/rates-address.ts';
import { createPrintWebhookAddress } from '../../../src/shops/print-account/print-webhook-address.ts';
import { listRoutes } from '../list-routes.ts';
import { addShop, openTestEndpoints, post, createTestSessionToken, signBody, type TestEndpoints } from '../test-app.ts';

/** Routes without a limit by address: probes, which must stay healthy, and constant responses to preflight requests. */
const UNLIMITED = ['GET /healthz', 'GET /readyz', 'GET /metrics', 'OPTIONS /api/*path', 'OPTIONS /packing-slips'];
const ONE_REQUEST = { atOnce: 100, burst: 1, perSecond: 0.001 };

let endpoints: TestEndpoints;
let shop: Shop;
let other: Shop;

beforeAll(async () => {
  endpoints = await openTestEndpoints(
    { TRUST_PROXY: 'on' },
    {
      rules: {
        unidentified: ONE_REQUEST,
        shops: ONE_REQUEST,
        events: ONE_REQUEST,
        rates: ONE_REQUEST,
        flow: ONE_REQUEST,
        visitors: ONE_REQUEST,
      },
    },
  );
  [shop, other] = [await addShop(endpoints.app.db), await addShop(endpoints.app.db)];
});
afterAll(() => endpoints.close());

let senders = 0;
/** Returns headers with a sender address that no other request has used. */
function nextSenderHeaders(): Record<string, string> {
  senders += 1;
  return { 'X-Forwarded-For': `192.0.2.${senders}` };
}

test('every route limits an address that sends requests without a session, signature or known token', async () => {
  for (const route of await listRoutes(endpoints.app)) {
    const [method = '', path = ''] = route.split(' ');
    const sender = nextSenderHeaders();
    const ask = async (): Promise<number> => {
      const { status, body } = await fetch(`${endpoints.url}${path.replaceAll(/[:*]\w+/g, '1')}`, {
        method,
        headers: sender,
        redirect: 'manual',
        ...(['GET', 'OPTIONS'].includes(method) ? {} : { body: '{}' }),
      });
      await body?.cancel();
      return status;
    };
    const first = await ask();
    expect([429, 503].includes(first) && path !== '/readyz', route).toBe(false);
    const second = await ask();
    expect(UNLIMITED.includes(route) ? second === first : [429, 503].includes(second), `${route}: ${second}`).toBe(
      true,
    );
  }
});

describe('a shop over its limit is refused, but another shop is not', () => {
  /** Sends two requests from one shop, and then one from another shop. Returns their statuses. */
  async function sendTwice(send: (of: Shop) => Promise<Response>): Promise<number[]> {
    const statuses: number[] = [];
    for (const sender of [shop, shop, other]) {
      const answer = await send(sender);
      statuses.push(answer.status);
      if (answer.status === 429 || answer.status === 503) {
        expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThanOrEqual(1);
      }
      await answer.body?.cancel();
    }
    return statuses;
  }

  test('at the API, whose limit also counts packing slips and pages', async () => {
    const Authorization = (of: Shop) => ({
      Authorization: `Bearer ${createTestSessionToken(of.domain)}`,
      ...nextSenderHeaders(),
    });
    expect(await sendTwice((of) => fetch(`${endpoints.url}/api/settings`, { headers: Authorization(of) }))).toEqual([
      200, 429, 200,
    ]);
    const link = signPackingSlipLink(endpoints.app, { shop: shop.domain, orders: ['1'], locale: 'en' });
    const slips = await fetch(`${endpoints.url}${new URL(link).pathname}${new URL(link).search}`);
    expect(slips.status).toBe(429);
    const page = await fetch(`${endpoints.url}/?shop=${shop.domain}&id_token=${createTestSessionToken(shop.domain)}`);
    expect(page.status).toBe(429);
  });

  test('at its address for print events', async () => {
    const address = new Map<number, string>();
    for (const one of [shop, other])
      address.set(one.id, endpoints.url + new URL(await createPrintWebhookAddress(endpoints.app, one)).pathname);
    expect(await sendTwice((of) => post(address.get(of.id) ?? '', '{"event":"x"}', nextSenderHeaders()))).toEqual([
      200, 503, 200,
    ]);
  });

  test('at its address for shipping rates', async () => {
    for (const one of [shop, other])
      await endpoints.app.db.manager.update(
        Shops,
        { id: one.id },
        { ratesTokenHash: hashRatesToken(`token-${one.id}`), settings: { liveRates: true } },
      );
    // The body is not a cart, so an admitted request gets a 400.
    expect(await sendTwice((of) => post(`${endpoints.url}/rates/token-${of.id}`, '{}', nextSenderHeaders()))).toEqual([
      400, 503, 400,
    ]);
  });

  test('for actions of workflows in Shopify Flow', async () => {
    const act = (of: Shop): Promise<Response> => {
      const body = JSON.stringify({
        shopify_domain: of.domain,
        action_run_id: 'run',
        properties: { order_id: 'gid://shopify/Order/404' },
      });
      return post(`${endpoints.url}/flow/hold`, body, {
        'X-Shopify-Hmac-Sha256': signBody(body),
        ...nextSenderHeaders(),
      });
    };
    const [first, second, third] = await sendTwice(act);
    expect([first === 503, second, third === 503]).toEqual([false, 503, false]);
  });

  test('for estimates on product pages', async () => {
    const visit = (of: Shop): Promise<Response> => {
      const query = { shop: of.domain, timestamp: String(Math.floor(Date.now() / 1000)), path_prefix: '/apps/platen' };
      const text = Object.entries(query)
        .map(([name, value]) => `${name}=${value}`)
        .toSorted()
        .join('');
      const signature = createHmac('sha256', 'sandbox-secret').update(text).digest('hex');
      const search = new URLSearchParams({ ...query, signature });
      return fetch(`${endpoints.url}/proxy/estimate?${search.toString()}`, { headers: nextSenderHeaders() });
    };
    expect(await sendTwice(visit)).toEqual([204, 429, 204]);
  });
});
