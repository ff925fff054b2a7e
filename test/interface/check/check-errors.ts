import { at } from '../table/bodies.ts';
import { EARLIER_ERRORS, HTTP_CODES } from '../table/errors.ts';
import type { Ledger } from './ledger.ts';
import type { ServiceCall } from '../table/service-calls.ts';
import { mapConcurrently, type Answer, type StandIn } from './stand-in.ts';
import { requestOf, type Version } from '../table/subjects.ts';

/** Failures of the service itself, which only the fault control endpoint can cause. */
const FAULTS = [429, 500, 502, 503, 504] as const;

/** Causes each documented HTTP error. Returns the requests that do not get the error in the documented form. */
export async function checkCodes(
  standIn: StandIn,
  services: readonly ServiceCall[],
  ledger: Ledger,
): Promise<string[]> {
  const wrong: string[] = [];
  const check = (status: number, { call }: ServiceCall, answer: Answer) => {
    ledger.done(`code ${status}`, 'case');
    const isRight = answer.status === status && isErrorBody(answer, call.host === 'legacy');
    if (!isRight) wrong.push(`${call.name}: ${answer.status} ${JSON.stringify(answer.body)}, not ${status}`);
  };
  for (const service of services) {
    const { call, pathToNothing } = service;
    const path = await service.path();
    if (call.request !== null) check(400, service, await standIn.ask(call.method, path, []));
    if (pathToNothing === null) continue;
    check(404, service, await standIn.ask(call.method, pathToNothing, bodyOf(service)));
  }
  for (const status of FAULTS) {
    await standIn.get('POST', '/_control/faults', [{ kind: 'status', status }]);
    await mapConcurrently(services, 8, async (service) => {
      check(status, service, await standIn.ask(service.call.method, service.call.path, bodyOf(service)));
    });
    await standIn.get('POST', '/_control/faults', []);
  }
  return wrong;
}

/** Returns the requests that succeed with a status other than the documented 200. */
export async function checkSuccess(
  standIn: StandIn,
  services: readonly ServiceCall[],
  ledger: Ledger,
): Promise<string[]> {
  const { status } = HTTP_CODES[0];
  ledger.done(`code ${status}`, 'case');
  return (
    await mapConcurrently(services, 1, async (service) => {
      const { call } = service;
      const answer = await standIn.ask(call.method, await service.path(), bodyOf(service));
      return answer.status === status ? [] : [`${call.name}: ${answer.status}`];
    })
  ).flat();
}

/** Returns the requests that do not get a 401 without a key or with an invalid key. */
export async function checkUnauthorized(standIn: StandIn, services: readonly ServiceCall[]): Promise<string[]> {
  const wrong: string[] = [];
  for (const service of services) {
    const { name, method, host } = service.call;
    for (const key of [null, 'not-a-key']) {
      const answer = await standIn.ask(method, await service.path(), bodyOf(service), key);
      if (answer.status !== 401 || !isErrorBody(answer, host === 'legacy')) wrong.push(`${name}: ${answer.status}`);
    }
  }
  return wrong;
}

function bodyOf({ call, samples }: ServiceCall): unknown {
  return call.request === null ? undefined : requestOf(call.name, samples);
}

/** Returns the earlier interface's documented errors that the stand-in does not return with their code and a distinct message. */
export async function checkEarlierErrors(standIn: StandIn, version: Version, ledger: Ledger): Promise<string[]> {
  const messages = new Map<string, string>();
  const wrong: string[] = [];
  for (const row of EARLIER_ERRORS) {
    const rowName = `${row.call} ${row.status} ${row.meaning}`;
    const [method, path, body] = await provoke(standIn, version, `${row.call}: ${row.meaning}`);
    const answer = await standIn.ask(method, path, body);
    const message = String(at(answer.body, 'message'));
    const same = messages.get(`${row.call} ${message}`);
    if (answer.status !== row.status || !isErrorBody(answer, true)) {
      wrong.push(`${version} ${rowName}: ${answer.status} ${JSON.stringify(answer.body)}`);
    }
    if (same !== undefined) wrong.push(`${version} ${rowName}: has the same message as ${same}`);
    messages.set(`${row.call} ${message}`, rowName);
    ledger.done(`error ${rowName}`, 'case');
  }
  return wrong;
}

type Request = [method: string, path: string, body?: unknown];

/** Creates a request that causes a documented error. */
async function provoke(standIn: StandIn, version: Version, row: string): Promise<Request> {
  const product = version === 'v1' ? 'product' : 'products[]';
  const quote = (samples: Record<string, unknown>): Request => [
    'POST',
    `/${version}/quote`,
    requestOf(`quote${version.toUpperCase()}`, samples),
  ];
  switch (row) {
    case 'quote: invalid request body':
      return ['POST', `/${version}/quote`, { order: 'none' }];
    case 'quote: product UID does not exist':
      return quote({ [`${product}.productUid`]: 'no_such_product' });
    case 'quote: currency not supported':
      return quote({ currencyIsoCode: 'XAU' });
    case 'quote: country not supported':
      return quote({ countryIsoCode: 'KP' });
    case 'quote: delivery to the destination not possible; check recipient address':
      return quote({ countryIsoCode: 'US', stateCode: 'AE' });
    case 'quote: a product is not supported for the destination': {
      const restricted = await findRestricted(standIn);
      return quote({ [`${product}.productUid`]: restricted.productUid, countryIsoCode: restricted.country });
    }
    case 'order create: invalid request body':
      return ['POST', `/${version}/order/create`, { promiseUid: 'none' }];
    case 'order status: order not found':
      return ['GET', `/${version}/order/status/404404`];
    default:
      throw new Error(`no request causes the error ${row}`);
  }
}

/** Finds a product in the catalogs and a country to which other products ship but this product does not. */
async function findRestricted(standIn: StandIn): Promise<{ productUid: string; country: string }> {
  const catalogs = (await standIn.get('GET', '/v3/catalogs')) as { catalogUid: string }[];
  const pages = (await Promise.all(
    catalogs.map(({ catalogUid }) => standIn.get('POST', `/v3/catalogs/${catalogUid}/products:search`, { limit: 500 })),
  )) as { products: { productUid: string; supportedCountries: string[] }[] }[];
  const products = pages.flatMap((page) => page.products);
  const everywhere = new Set(products.flatMap(({ supportedCountries }) => supportedCountries));
  // In the excluded countries, an address requires additional fields.
  const countries = [...everywhere].filter((country) => !['BR', 'IN', 'CL', 'AU', 'GB', 'US'].includes(country));
  for (const { productUid, supportedCountries } of products) {
    const country = countries.find((one) => !supportedCountries.includes(one));
    if (country !== undefined) return { productUid, country };
  }
  throw new Error('every product ships to every country');
}

/** The earlier interface returns only a `message`. The current interface also returns `code` and `details` (reading notes). */
function isErrorBody({ body, contentType }: Answer, isEarlier: boolean): boolean {
  return (
    contentType.startsWith('application/json') &&
    typeof at(body, 'message') === 'string' &&
    (isEarlier || (typeof at(body, 'code') === 'string' && Array.isArray(at(body, 'details'))))
  );
}
