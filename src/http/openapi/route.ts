import type { Jsonified } from '../json-of.ts';
import { z } from 'zod';
import endpoints from './endpoints.json' with { type: 'json' };

/** A route of the API, such as `GET /api/orders/:id`. Its description comes from the comment of its handler. */
export type RouteId = keyof typeof endpoints;

/** One content type with the schema of its content. */
export interface Content {
  type: 'application/json' | 'text/csv';
  schema: z.ZodType;
}

/** The statuses of error responses that depend on the route. The document adds those that every route can return. */
type RouteError = 400 | 403 | 404 | 409;

/** The requests that a route accepts, and its responses. */
export interface ApiRoute {
  id: RouteId;
  params: z.ZodObject;
  query: z.ZodObject;
  /** Null if the route reads no body. */
  body: (Content & { isRequired: boolean }) | null;
  /** The responses other than plain errors, by status. Null for a response without content. */
  answers: Readonly<Record<number, Content | null>>;
  errors: readonly RouteError[];
  /** Whether anybody may call the route without a session token. */
  isPublic: boolean;
}

/** Describes a route. Omitted fields get empty defaults. */
export function describeRoute(
  id: RouteId,
  { params, query, ...more }: Partial<Omit<ApiRoute, 'id' | 'answers'>> & Pick<ApiRoute, 'answers'>,
): ApiRoute {
  const none = z.object({});
  return { id, body: null, errors: [], isPublic: false, ...more, params: params ?? none, query: query ?? none };
}

/** The type of a function's (awaited) result. Any other type stays as it is. */
export type ResultOf<Source> = Source extends (...given: never[]) => infer Result ? Awaited<Result> : Source;

/** `Schema` if it describes exactly the values of `Value`. Otherwise, a string type that explains the failed type check. */
type Matching<Schema extends z.ZodType, Value> = [Value] extends [z.input<Schema>]
  ? [z.output<Schema>] extends [Value]
    ? Schema
    : 'the schema describes values that the function does not return'
  : 'the function returns values that the schema does not describe';

/**
 * Describes a JSON response. `Source` is the type of the response, or of the function that returns it. The type check fails if the schema
 * describes anything else.
 */
export function jsonResponse<Source>() {
  return <Schema extends z.ZodType>(schema: Matching<Schema, Jsonified<ResultOf<Source>>> & Schema): Content => ({
    type: 'application/json',
    schema,
  });
}

/** A CSV file whose first line contains the headings. */
export const csv: Content = {
  type: 'text/csv',
  schema: z.string().meta({ description: 'Comma-separated values in UTF-8. The first line contains the headings.' }),
};

/** Describes a JSON body. */
export function jsonBody(schema: z.ZodType): NonNullable<ApiRoute['body']> {
  return { type: 'application/json', schema, isRequired: true };
}
