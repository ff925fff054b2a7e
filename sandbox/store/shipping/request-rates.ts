import { createHmac } from 'node:crypto';
import { request } from 'undici';
import { apiVersion } from '../graphql/api-version.ts';
import { checkRates, type Rate } from './check-rates.ts';
import { carriersInProfile } from './delivery-profile-view.ts';
import { exactJson } from '../graphql/exact-json.ts';
import { type Cart, toRateRequest } from './rate-request.ts';
import { findLocationFor } from '../fulfillment/route-order.ts';
import type { CarrierService, Shop } from '../state.ts';
import type { Store } from '../store.ts';

/** A request to a carrier service. `status` is null if no response arrived in time. */
interface RateCall {
  carrier: string;
  origin: string;
  status: number | null;
  ms: number;
  rates: Rate[];
  problems: string[];
}

/**
 * Returns the app's rates as a checkout shows them. Each active carrier service in the shop's profile is called once for each location
 * from which lines ship. An invalid response counts as no rates, and the merchant's backup rates are used instead.
 */
export async function requestRates(store: Store, shop: Shop, cart: Cart, timeoutMs: number) {
  const shipped = cart.lines.filter(({ requiresShipping }) => requiresShipping);
  const groups = Object.entries(Object.groupBy(shipped, (line) => findLocationFor(store, shop, line)));
  const carriers = carriersInProfile(shop).filter(({ active }) => active);
  const calls = await Promise.all(
    carriers.flatMap((carrier) =>
      groups.map(([locationId, lines = []]) => {
        const body = exactJson(toRateRequest(shop, cart, locationId, lines));
        return callCarrier(store, shop, carrier, { origin: locationId, body, timeoutMs });
      }),
    ),
  );
  const combined = carriers.map(({ id }) => combine(calls.filter(({ carrier }) => carrier === id)));
  const found = [...calls, ...combined].flatMap(({ problems }) => problems);
  const missing = carriers.length === 0 ? ['no active carrier service of the app is in a shipping profile'] : [];
  return {
    rates: combined.flatMap(({ rates }) => rates),
    backup: found.length > 0,
    ms: Math.max(0, ...calls.map(({ ms }) => ms)),
    status: calls[0]?.status ?? null,
    problems: [...missing, ...found],
    calls,
  };
}

async function callCarrier(
  { clock, options }: Store,
  shop: Shop,
  { id, callbackUrl }: CarrierService,
  { origin, body, timeoutMs }: { origin: string; body: string; timeoutMs: number },
): Promise<RateCall> {
  const start = clock.ticks();
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    'user-agent': 'Shopify',
    'x-shopify-shop-domain': shop.domain,
    'x-shopify-api-version': apiVersion,
    'x-shopify-hmac-sha256': createHmac('sha256', options.apiSecret).update(body).digest('base64'),
  };
  const done = (status: number | null, answer: Pick<RateCall, 'rates' | 'problems'>): RateCall => ({
    carrier: id,
    origin,
    status,
    ms: Math.round(clock.ticks() - start),
    ...answer,
  });
  try {
    const signal = clock.timeout(timeoutMs);
    const answer = await request(callbackUrl, { method: 'POST', headers, body, signal });
    const text = await answer.body.text();
    const refused = { rates: [], problems: [`the response has status ${answer.statusCode}`] };
    return done(answer.statusCode, answer.statusCode === 200 ? checkRates(text) : refused);
  } catch {
    return done(null, { rates: [], problems: [`no response within ${timeoutMs} ms`] });
  }
}

/** Adds up the rates of several parcels. A rate is included only if it is offered for all parcels in the same currency. */
function combine(calls: readonly RateCall[]): Pick<RateCall, 'rates' | 'problems'> {
  const [first, ...others] = calls;
  const problems: string[] = [];
  const rates = (first?.rates ?? []).flatMap((rate) => {
    const same = others.flatMap((call) => call.rates.find((one) => one.service_code === rate.service_code) ?? []);
    if (same.length < others.length) return [];
    const currencies = [...new Set([rate, ...same].map(({ currency }) => currency))].toSorted();
    if (currencies.length > 1) {
      problems.push(`the rates of ${rate.service_code} are in ${currencies.join(' and ')}, so they are not added`);
    }
    const total = same.reduce((sum, one) => sum + BigInt(one.total_price), BigInt(rate.total_price));
    return [{ ...rate, total_price: String(total) }];
  });
  return { rates: problems.length > 0 ? [] : rates, problems };
}
