import { z } from 'zod';
import endpoints from './endpoints.json' with { type: 'json' };
import type { ApiRoute, Content } from './route.ts';
import { errorSchema } from './routes/shared.ts';

type Schema = Record<string, unknown>;

/** The meaning of each status. It is the same for every route. */
const STATUS_DESCRIPTIONS: Readonly<Record<number, string>> = {
  200: 'Done.',
  202: 'Accepted. A job does the work.',
  204: 'Done.',
  400: 'The request is not valid. `field` names the field or parameter.',
  401: 'The session token is missing or not valid, or the shop has not installed Platen or has stopped it.',
  403: 'The store must grant a permission first. `scopes` names it.',
  404: 'The object does not exist, or it belongs to another shop.',
  409: 'The request is not possible now. `code` identifies the reason.',
  413: 'The body is too large.',
  429: 'Too many requests. Retry-After contains the number of seconds to wait.',
  500: 'The request failed. The log contains the details.',
  503: 'The store, the print service or Platen itself is unavailable. Nothing was done.',
};
/** Every route can respond with these. */
const COMMON_ERRORS = [429, 500, 503];

/** Builds the OpenAPI document of these routes. It is the same for every shop. */
export function buildDocument(routes: readonly ApiRoute[]): Schema {
  const schemas: Schema = {};
  const paths: Record<string, Schema> = {};
  const toSchema = (schema: z.ZodType, io: 'input' | 'output'): Schema => convertSchema(schema, io, schemas);
  for (const route of routes) {
    const [method = '', path = ''] = route.id.split(' ');
    const at = path.replaceAll(/:(\w+)/g, '{$1}');
    paths[at] = { ...paths[at], [method.toLowerCase()]: describeOperation(route, toSchema) };
  }
  return {
    openapi: '3.1.1',
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    info: {
      title: 'Platen',
      version: '1',
      description: 'The API that Platen’s pages in the Shopify admin use. Each shop can access only its own data.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: [{ sessionToken: [] }],
    paths,
    components: {
      schemas,
      securitySchemes: {
        sessionToken: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'A Shopify session token. It identifies the shop.',
        },
      },
    },
  };
}

type ToSchema = (schema: z.ZodType, io: 'input' | 'output') => Schema;

function describeOperation(route: ApiRoute, toSchema: ToSchema): Schema {
  const { id, params, query, body, isPublic } = route;
  const [summary, ...more] = endpoints[id].split(/(?<=\.) /);
  const parameters = [...describeParameters('path', params, toSchema), ...describeParameters('query', query, toSchema)];
  return {
    operationId: toOperationId(id),
    summary,
    ...(more.length === 0 ? {} : { description: more.join(' ') }),
    ...(isPublic ? { security: [] } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === null
      ? {}
      : { requestBody: { required: body.isRequired, content: describeContent(body, 'input', toSchema) } }),
    responses: describeResponses(route, toSchema),
  };
}

function describeParameters(place: 'path' | 'query', object: z.ZodObject, toSchema: ToSchema): Schema[] {
  const { properties = {}, required = [] } = toSchema(object, 'input') as {
    properties?: Record<string, Schema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema: place === 'query' ? withoutNull(schema) : schema,
  }));
}

/** Removes null from a parameter's schema. A handler reads an omitted parameter as null, but a query cannot contain null. */
function withoutNull(schema: Schema): Schema {
  const { anyOf, ...rest } = schema as Schema & { anyOf?: Schema[] };
  const options = anyOf?.filter(({ type }) => type !== 'null');
  if (Array.isArray(rest['type'])) rest['type'] = rest['type'].find((type) => type !== 'null');
  if (!options) return rest;
  return options.length === 1 ? { ...rest, ...options[0] } : { ...rest, anyOf: options };
}

function describeResponses({ answers, errors, body, isPublic }: ApiRoute, toSchema: ToSchema): Schema {
  const refused = [...errors, ...(isPublic ? [] : [401]), ...(body === null ? [] : [413]), ...COMMON_ERRORS];
  const error = { type: 'application/json', schema: errorSchema } as const;
  const all: Record<number, Content | null> = { ...Object.fromEntries(refused.map((one) => [one, error])), ...answers };
  return Object.fromEntries(
    Object.entries(all).map(([status, content]) => [
      status,
      {
        description: STATUS_DESCRIPTIONS[Number(status)],
        ...(content === null ? {} : { content: describeContent(content, 'output', toSchema) }),
      },
    ]),
  );
}

function describeContent({ type, schema }: Content, io: 'input' | 'output', toSchema: ToSchema): Schema {
  return { [type]: { schema: toSchema(schema, io) } };
}

/** Returns a schema as JSON Schema, and adds the named schemas in it to `schemas`. */
function convertSchema(schema: z.ZodType, io: 'input' | 'output', schemas: Schema): Schema {
  const made = z.toJSONSchema(schema, { io, unrepresentable: 'throw' });
  const text = JSON.stringify(made).replaceAll('"#/$defs/', '"#/components/schemas/');
  const { $defs = {}, id, ...own } = JSON.parse(text) as Schema & { $defs?: Record<string, Schema> };
  const named = { ...$defs, ...(typeof id === 'string' ? { [id]: own } : {}) };
  for (const [name, one] of Object.entries(named)) addSchema(schemas, name, withoutNames(one));
  return typeof id === 'string' ? { $ref: `#/components/schemas/${id}` } : withoutNames(own);
}

/** Throws an Error if another schema already has the name. */
function addSchema(schemas: Schema, name: string, schema: Schema): void {
  const known = schemas[name];
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema))
    throw new Error(`Two different schemas of the API have the ID ${name}.`);
  schemas[name] = schema;
}

/** Removes `$schema` and `id`. The document declares the dialect once, and each component's key is its name. */
function withoutNames(schema: Schema): Schema {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => key !== '$schema' && key !== 'id'));
}

/** `GET /api/orders/:id/receipts` becomes `get_orders_id_receipts`. */
function toOperationId(id: string): string {
  return id
    .toLowerCase()
    .replace('/api', '')
    .replaceAll(/[^a-z0-9]+/g, '_');
}
