import { z } from 'zod';
import { apiRoutes } from '../../src/http/openapi/routes.ts';
import type { Random } from '../fuzz/random.ts';

/** Values by the name of a field or parameter. The ID in a path has the name of the segment before it, such as `orders`. */
export type KnownValues = Readonly<Record<string, readonly unknown[]>>;

/** A request that an API route accepts. Tests may change it before they send it. */
export interface ExampleRequest {
  method: string;
  path: string;
  query: [name: string, value: string][];
  /** Undefined if the route reads no body. A string is sent as it is, and any other value as JSON. */
  body: unknown;
  type: string | null;
}

interface Schema extends Record<string, unknown> {
  $ref?: string;
  $defs?: Record<string, Schema>;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  enum?: unknown[];
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  minItems?: number;
  minimum?: number;
  maximum?: number;
}

/** The known values, the random choices and the named schemas from which a request is created. */
interface ExampleContext {
  values: KnownValues;
  random: Random;
  definitions: Record<string, Schema>;
}

/** Possible shares of an object's optional fields to include. */
const OPTIONAL_SHARES = [0.05, 0.4, 0.9];
const descriptions = new Map<string, Record<'params' | 'query' | 'body', Schema>>(
  apiRoutes.map(({ id, params, query, body }) => [
    id,
    { params: toSchema(params), query: toSchema(query), body: body === null ? {} : toSchema(body.schema) },
  ]),
);

/** Creates a request to a route of the API from the route's description and known values. */
export function createExampleRequest(id: string, values: KnownValues, random: Random): ExampleRequest {
  const route = apiRoutes.find((one) => one.id === id);
  const schemas = descriptions.get(id);
  if (!route || !schemas) throw new Error(`The API does not describe ${id}.`);
  const [method = '', template = ''] = id.split(' ');
  const createPart = (schema: Schema) => createExample(schema, '', { values, random, definitions: schema.$defs ?? {} });
  const params = createPart(schemas.params) as Record<string, unknown>;
  const query = createPart(schemas.query) as Record<string, unknown>;
  const path = fillPath(template, (name, own) => {
    const known = values[name];
    return toText(known ? random.pick(known) : params[own]);
  });
  const type = route.body?.type ?? null;
  return {
    method,
    path,
    query: Object.entries(query).map(([name, value]) => [name, toText(value)]),
    body: type === null ? undefined : type === 'text/csv' ? toText(values['csv']?.[0]) : createPart(schemas.body),
    type,
  };
}

/** Returns the names of a route's path and query parameters and of its body's fields, at any depth. */
export function listParameterNames(id: string): string[] {
  const schemas = descriptions.get(id);
  const [, template = ''] = id.split(' ');
  const inPath: string[] = [];
  fillPath(template, (name) => String(inPath.push(name)));
  return [...inPath, ...collectNames(schemas?.query ?? {}), ...collectNames(schemas?.body ?? {})];
}

/** Replaces the parameters of a path. `toValue` receives a parameter's name in the known values, and its name in the path. */
export function fillPath(template: string, toValue: (name: string, own: string) => string): string {
  const segments = template.split('/');
  const filled = segments.map((segment, index) => {
    if (!/^[:*]/.test(segment)) return segment;
    const own = segment.slice(1);
    return encodeURIComponent(toValue(own === 'id' ? (segments[index - 1] ?? '') : own, own));
  });
  return filled.join('/');
}

function collectNames(schema: Schema): string[] {
  const names = Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => [name, ...collectNames(inner)]);
  const parts = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...Object.values(schema.$defs ?? {})];
  return [...names, ...(schema.items ? collectNames(schema.items) : []), ...parts.flatMap(collectNames)];
}

function toSchema(schema: z.ZodType): Schema {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema;
}

function createExample(schema: Schema, name: string, source: ExampleContext): unknown {
  const { values, random, definitions } = source;
  const known = values[name]?.filter((value) => isObject(schema) === (typeof value === 'object' && value !== null));
  if (known !== undefined && known.length > 0 && schema.type !== 'array') return random.pick(known);
  if (schema.$ref) return createExample(definitions[schema.$ref.split('/').at(-1) ?? ''] ?? {}, name, source);
  if ('const' in schema) return schema['const'];
  if (schema.enum) return random.pick(schema.enum);
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return createExample(random.pick(options), name, source);
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((one) => createExample(one, name, source)));
  const type = Array.isArray(schema.type) ? random.pick(schema.type) : schema.type;
  switch (type) {
    case 'object':
      return createExampleObject(schema, source);
    case 'array': {
      const length = Math.max(schema.minItems ?? 0, random.below(3));
      return Array.from({ length }, () => createExample(schema.items ?? {}, name, source));
    }
    case 'boolean':
      return random.chance(0.5);
    case 'integer':
    case 'number':
      return (schema.minimum ?? 0) + random.below(Math.min(20, (schema.maximum ?? 20) - (schema.minimum ?? 0) + 1));
    case 'null':
      return null;
    default:
      return random.pick(['1', 'a', 'Some text', '4.90', 'DE']);
  }
}

function createExampleObject(schema: Schema, source: ExampleContext): Record<string, unknown> {
  const required = new Set(schema.required);
  const share = source.random.pick(OPTIONAL_SHARES);
  const given = Object.entries(schema.properties ?? {}).filter(
    ([name]) => required.has(name) || source.random.chance(share),
  );
  return Object.fromEntries(given.map(([name, inner]) => [name, createExample(inner, name, source)]));
}

function isObject({ type, properties }: Schema): boolean {
  return type === 'object' || properties !== undefined;
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
