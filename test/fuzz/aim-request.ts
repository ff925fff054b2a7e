import { draftRequest, type RequestMutation, type Draft, type RequestInputs } from '../http/draft-request.ts';
import { TOPICS } from './fuzz-endpoints.ts';
import { anyName, mutateBody, mutateCsv, mutateText, damageBytes } from './mutate.ts';
import { createRandom, type Random } from './random.ts';
import type { Shot } from './send-request.ts';

/** The shares of requests that have a changed query or path, odd headers, another topic or no proof, or that are not valid HTTP. */
const SHARES = { query: 0.25, path: 0.15, headers: 0.2, topic: 0.1, proof: 0.06, bytes: 0.01 };

/** Creates a request to a route, such as `GET /api/orders/:id`, that is determined by the seed. */
export function aimRequest(route: string, keys: RequestInputs, seed: number): Shot {
  const random = createRandom(seed);
  const damage: RequestMutation = {
    text: (value) => (random.chance(SHARES.query) ? mutateText(value, random) : value),
    proof: (value) => (random.chance(SHARES.proof) ? random.pick([mutateText(value, random), '', 'x']) : value),
    body: (value) => mutateBody(value, random),
    csv: (value) => mutateCsv(value, random),
  };
  const { method, headers: proper, body, ...address } = draftRequest(route, keys, random, damage);
  const isOdd = random.chance(SHARES.headers);
  const headers = toSendable({ ...proper, ...(isOdd ? createOddHeaders(random) : {}) });
  const topic = 'X-Shopify-Topic';
  if (topic in headers && random.chance(SHARES.topic)) headers[topic] = random.pick(TOPICS);
  const shot = { method, path: toPath(address, random), headers, body, head: null };
  return random.chance(SHARES.bytes) ? { ...shot, head: toBytes(shot, random) } : shot;
}

/** Headers that a broken proxy or a hostile sender might add. */
function createOddHeaders(random: Random): Record<string, string> {
  return random.pick<() => Record<string, string>>([
    () => ({ 'content-type': random.pick(['text/plain', 'application/xml', 'multipart/form-data', '', ';', '*/*']) }),
    () => ({ 'content-type': 'application/json; charset=utf-16' }),
    () => ({ 'content-encoding': random.pick(['gzip', 'br', 'deflate', 'identity, gzip', 'x']) }),
    () => ({ 'accept-language': random.pick(['de', 'de-CH, fr;q=0.5', '*', ';q=', 'xx-'.repeat(500), '__proto__']) }),
    () => ({ accept: mutateText('text/html', random), 'accept-encoding': 'gzip;q=9, *' }),
    () => ({ cookie: mutateText('id_token=1; state=2', random) }),
    () => ({ 'x-forwarded-for': mutateText('203.0.113.7', random), forwarded: 'for=_x' }),
    () => ({ host: random.pick(['evil.example', 'a:b:c', '[::1', '', 'x'.repeat(300)]) }),
    () => ({ 'x-http-method-override': 'DELETE', 'x-request-id': mutateText('1', random) }),
    () => ({ range: 'bytes=0-', 'if-none-match': '*', 'if-modified-since': 'x' }),
    () => ({ [`x-${'a'.repeat(200)}`]: 'b'.repeat(3_000) }),
  ])();
}

/** Node's client sends only printable characters in headers. */
function toSendable(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, value.replaceAll(/[^\x20-\x7e]/g, '?')]),
  );
}

function toPath({ path, query }: Pick<Draft, 'path' | 'query'>, random: Random): string {
  const changed = random.chance(SHARES.query) ? changeQuery(query, random) : query;
  const search = changed.map(([name, value]) => `${encode(name, random)}=${encode(value, random)}`).join('&');
  return `${random.chance(SHARES.path) ? changePath(path, random) : path}${search === '' ? '' : `?${search}`}`;
}

function changeQuery(query: Draft['query'], random: Random): Draft['query'] {
  if (query.length === 0) return [[anyName(random), mutateText('1', random)]];
  const at = random.below(query.length);
  const [name, value] = query[at] ?? ['', ''];
  const others = query.filter((_, index) => index !== at);
  return random.pick<() => Draft['query']>([
    () => others,
    () => [...others, [name, mutateText(value, random)]],
    () => [...others, [name, mutateText(value, random)]],
    () => [...others, [name, mutateText(value, random)]],
    () => [...query, [name, mutateText(value, random)]],
    () => [...query, [name, value]],
    () => [...others, [`${name}[]`, value]],
    () => [...others, [`${name}[__proto__]`, value]],
    () => [...query, [anyName(random), mutateText('1', random)]],
    () => Array.from({ length: 500 }, (): [string, string] => [name, '1']),
  ])();
}

/** Changes the last segments of a path, so that most changed paths still belong to the route. */
function changePath(path: string, random: Random): string {
  const segments = path.split('/');
  const at = Math.max(1, segments.length - 1 - random.below(2));
  const changed = random.pick<() => string>([
    () => encode(mutateText(segments[at] ?? '', random).slice(0, 1_000), random),
    () => random.pick(['%00', '%ff', '%', '%zz', '%c0%80', '%ed%a0%80', '..%2f..%2fetc', '%2e%2e', '.', ';', '%0d%0a']),
    () => (segments[at] ?? '').toUpperCase(),
    () => `${segments[at]}%20`,
    () => `${segments[at]}/`,
    () => `${segments[at]}%00`,
    () => random.pick(['0', '-1', '1e5', '9'.repeat(20), '9'.repeat(400), '__proto__', 'constructor']),
  ])();
  return segments.with(at, changed).join('/');
}

/** Encodes text for an address. Some results are not valid UTF-8 or not fully encoded. */
function encode(text: string, random: Random): string {
  const encoded = encodeURIComponent(text.toWellFormed());
  return random.chance(0.03) ? encoded + random.pick(['%', '%ff', '%00', '+', '%ed%a0%80', '%u0000']) : encoded;
}

/** Returns the head of a request as bytes that may not be valid HTTP. */
function toBytes({ method, path, headers, body }: Omit<Shot, 'head'>, random: Random): Buffer {
  const length = String(body?.length ?? 0);
  const all = { host: '127.0.0.1', connection: 'close', 'content-length': length, ...headers };
  const lines = [`${method} ${path} HTTP/1.1`, ...Object.entries(all).map(([name, value]) => `${name}: ${value}`)];
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  return random.pick<() => Buffer>([
    () => damageBytes(head, random),
    () => damageBytes(head, random),
    () => Buffer.from(head.toString('latin1').replace(`content-length: ${length}`, 'transfer-encoding: chunked')),
    () => Buffer.from(head.toString('latin1').replace(`content-length: ${length}`, 'content-length: 99999999')),
    () => Buffer.from(head.toString('latin1').replace(`content-length: ${length}`, 'content-length: 1')),
    () => Buffer.from(head.toString('latin1').replace('HTTP/1.1', random.pick(['HTTP/1.0', 'HTTP/9', 'x']))),
    () => Buffer.from(head.toString('latin1').replace(method, random.pick(['BREW', 'TRACE', 'CONNECT', 'PATCH']))),
  ])();
}
