import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { unknownAddressError } from '../../src/http/error-response.ts';
import { buildDocument } from '../../src/http/openapi/document.ts';
import { apiRoutes } from '../../src/http/openapi/routes.ts';
import { translateTexts } from '../../src/http/texts/translate-texts.ts';
import { findUntranslated } from './find-untranslated.ts';

/** One request to the API with its response. */
export interface Exchange {
  method: string;
  url: string;
  /** Null if the request has no body or a body that is not text. */
  sent: string | null;
  status: number;
  /** The content type of the response, such as `application/json; charset=utf-8`. */
  type: string | null;
  /** The language of the response's texts. Null if they are not translated. */
  language: string | null;
  received: string;
}

interface Operation {
  parameters?: { name: string; in: string; required: boolean }[];
  requestBody?: { required: boolean; content: Record<string, object> };
  responses: Record<string, { content?: Record<string, object> }>;
}

const MAX_SHOWN = 10;
const DOCUMENT = 'openapi.json';
const document = buildDocument(apiRoutes) as {
  paths: Record<string, Record<string, Operation>>;
};
const strict = openValidator({});
/** Query parameters are always text, so this validator converts text such as `true` and `2` to the type in the schema. */
const lenient = openValidator({ coerceTypes: true });

function openValidator(options: object): Ajv2020 {
  const validator = new Ajv2020({ strict: false, allErrors: true, ...options });
  addFormats.default(validator);
  return validator.addSchema(document, DOCUMENT);
}

/** Finds how an exchange differs from the OpenAPI document. Returns one sentence for each difference. */
export function findDifferences(exchange: Exchange): string[] {
  const { pathname, searchParams } = new URL(exchange.url);
  // A worker process serves no API and responds with 404 to every API call.
  if (exchange.status === 404 && exchange.received.includes(unknownAddressError().message)) return [];
  const found = findOperation(exchange.method, pathname);
  // A request to a path without a route must fail.
  if (!found) return exchange.status < 400 ? ['The route is not in the OpenAPI document.'] : [];
  const { operation, at, params } = found;
  const answered = [...checkAnswer(exchange, operation, at), ...checkTexts(exchange, at[1] ?? '')];
  if (exchange.status >= 300) return answered;
  const query = Object.fromEntries(searchParams);
  return [
    ...answered,
    ...checkParameters('path', params, operation, at),
    ...checkParameters('query', query, operation, at),
    ...checkBody(exchange, operation, at),
  ];
}

function findOperation(method: string, pathname: string) {
  // As in the router, a path with a fixed segment takes precedence over a path with a parameter.
  const paths = Object.keys(document.paths).toSorted((a, b) =>
    a.replaceAll('{', '~') < b.replaceAll('{', '~') ? -1 : 1,
  );
  for (const path of paths) {
    const pattern = new RegExp(`^${path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)').replaceAll('.', String.raw`\.`)}$`);
    const match = pattern.exec(pathname);
    const operation = document.paths[path]?.[method.toLowerCase()];
    if (!match || !operation) continue;
    const params = Object.fromEntries(
      Object.entries(match.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)]),
    );
    return { operation, params, at: ['paths', path, method.toLowerCase()] };
  }
  return null;
}

function checkAnswer({ status, type, received }: Exchange, { responses }: Operation, at: string[]): string[] {
  const answer = responses[status];
  if (!answer) return [`The status ${status} is not in the OpenAPI document: ${received.slice(0, 300)}`];
  const [wanted] = Object.keys(answer.content ?? {});
  if (wanted === undefined) return received === '' ? [] : [`The response ${status} should have no content.`];
  if (!type?.startsWith(wanted)) return [`The response ${status} has the type ${type} instead of ${wanted}.`];
  const value = wanted === 'application/json' ? parseJson(received) : received;
  const validate = compileSchema(strict, [...at, 'responses', String(status), 'content', wanted, 'schema']);
  return explainErrors(`The response ${status}`, validate, value);
}

/** Returns a sentence for each text in the response that has no German translation. */
function checkTexts({ method, status, type, language, received }: Exchange, path: string): string[] {
  if (language !== null) return [];
  const body = type?.startsWith('application/json') ? parseJson(received) : undefined;
  if (typeof body !== 'object' || body === null) return [];
  const texts: string[] = [];
  const route = `${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
  translateTexts({ route, status, body }, (text) => {
    texts.push(text);
    return text;
  });
  return findUntranslated(texts).map((text) => `This text has no German translation: ${text}`);
}

function checkParameters(
  place: 'path' | 'query',
  given: Record<string, string>,
  { parameters = [] }: Operation,
  at: string[],
): string[] {
  const known = new Map(parameters.flatMap((one, index) => (one.in === place ? [[one.name, index] as const] : [])));
  return Object.entries(given).flatMap(([name, value]) => {
    const index = known.get(name);
    if (index === undefined) return [`The ${place} parameter ${name} is not in the OpenAPI document.`];
    // An empty parameter counts as omitted.
    if (value === '') return [];
    const validate = compileSchema(lenient, [...at, 'parameters', String(index), 'schema']);
    return explainErrors(`The ${place} parameter ${name}`, validate, value);
  });
}

function checkBody({ sent }: Exchange, { requestBody }: Operation, at: string[]): string[] {
  if (!requestBody || sent === null || sent === '')
    return requestBody?.required && sent === '' ? ['The request has no body.'] : [];
  const [type = ''] = Object.keys(requestBody.content);
  const value = type === 'application/json' ? parseJson(sent) : sent;
  return explainErrors('The request', compileSchema(strict, [...at, 'requestBody', 'content', type, 'schema']), value);
}

/** Returns undefined, which no schema allows, for a text that is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const compiled = new WeakMap<Ajv2020, Map<string, ValidateFunction>>();

function compileSchema(validator: Ajv2020, path: readonly string[]): ValidateFunction {
  const pointer = path.map((one) => encodeURIComponent(one.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/');
  const known = compiled.get(validator) ?? new Map<string, ValidateFunction>();
  compiled.set(validator, known);
  const validate = known.get(pointer) ?? validator.compile({ $ref: `${DOCUMENT}#/${pointer}` });
  known.set(pointer, validate);
  return validate;
}

function explainErrors(what: string, validate: ValidateFunction, value: unknown): string[] {
  if (validate(value)) return [];
  return (validate.errors ?? []).map(({ instancePath, message, params }) => {
    const { additionalProperty } = params as { additionalProperty?: string };
    const named = additionalProperty === undefined ? '' : ` (${additionalProperty})`;
    return `${what}${instancePath === '' ? '' : ` at ${instancePath}`} ${message}${named}.`;
  });
}

/** Returns the message for the differences of one exchange. */
export function describeDifferences({ method, url }: Pick<Exchange, 'method' | 'url'>, differences: string[]): string {
  const shown = differences.slice(0, MAX_SHOWN).join('\n');
  return `${method} ${new URL(url).pathname} differs from the OpenAPI document:\n${shown}`;
}

/** Returns whether a request is for the app's API. The stand-ins have no paths below `/api/`. */
export function isApiCall(method: string, url: string): boolean {
  const { hostname, pathname } = new URL(url);
  return hostname === '127.0.0.1' && pathname.startsWith('/api/') && method !== 'OPTIONS' && method !== 'HEAD';
}
