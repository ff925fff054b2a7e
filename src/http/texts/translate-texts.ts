import { z } from 'zod';
import { openSlices } from '../../slices.ts';
import { errorSchema, text } from '../openapi/routes/shared.ts';
import { apiRoutes } from '../openapi/routes.ts';

/** Replaces the texts for people in a part of a response. Other values stay as they are. */
type Replace = (value: unknown, translate: (text: string) => string) => unknown;

/** A response of the API. `route` is a method and a path such as `GET /api/orders/:id`. */
interface Answer {
  route: string;
  status: number;
  body: unknown;
}

const replacers = new Map<string, Replace | null>();

/** Returns a response with its texts for people translated, as `translateTexts`. Other requests can run between two texts. */
export async function translateInSlices(answer: Answer, translate: (text: string) => string): Promise<unknown> {
  const texts = new Set<string>();
  translateTexts(answer, (text) => {
    texts.add(text);
    return text;
  });
  const translations = new Map<string, string>();
  const giveWay = openSlices();
  for (const text of texts) {
    translations.set(text, translate(text));
    await giveWay();
  }
  return translateTexts(answer, (text) => translations.get(text) ?? text);
}

/** Returns a response with its texts for people translated. The API's schemas mark these texts with the schema `Text`. */
export function translateTexts({ route, status, body }: Answer, translate: (text: string) => string): unknown {
  const key = `${status} ${route}`;
  if (!replacers.has(key)) replacers.set(key, toReplacer(schemaOf(route, status)));
  const replace = replacers.get(key);
  return replace ? replace(withoutDescription(JSON.parse(JSON.stringify(body))), translate) : body;
}

function schemaOf(route: string, status: number): z.ZodType {
  const answer = apiRoutes.find(({ id }) => id === route)?.answers[status];
  return answer?.type === 'application/json' ? answer.schema : errorSchema;
}

/** An error message about a setting also describes the setting. Shortens it to the rule, because the pages have their own descriptions. */
function withoutDescription(body: unknown): unknown {
  const { error } = body as { error?: { field: string; rule?: string } };
  if (error?.rule === undefined) return body;
  return { ...(body as object), error: { ...error, message: `${error.field}: ${error.rule}.` } };
}

/** Returns null if values of this schema contain no texts. */
function toReplacer(schema: z.core.$ZodType): Replace | null {
  if (schema === text) return (value, translate) => (typeof value === 'string' ? translate(value) : value);
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional || schema instanceof z.ZodExactOptional)
    return toReplacer(schema.unwrap());
  if (schema instanceof z.ZodArray) return replaceItems(toReplacer(schema.element));
  if (schema instanceof z.ZodUnion) return replaceByAny(schema.options.map(toReplacer));
  return schema instanceof z.ZodObject ? replaceFields(schema) : null;
}

function replaceItems(replace: Replace | null): Replace | null {
  return (
    replace && ((value, translate) => (Array.isArray(value) ? value.map((one) => replace(one, translate)) : value))
  );
}

/** The options of a union have the same texts in the same places. */
function replaceByAny(options: readonly (Replace | null)[]): Replace | null {
  const [...all] = options.filter((one) => one !== null);
  return all.length === 0 ? null : (value, translate) => all.reduce((result, one) => one(result, translate), value);
}

function replaceFields(schema: z.ZodObject): Replace | null {
  const fields = Object.entries(schema.shape).flatMap(([name, one]) => {
    const replace = toReplacer(one);
    return replace ? [[name, replace] as const] : [];
  });
  if (fields.length === 0) return null;
  return (value, translate) => {
    if (typeof value !== 'object' || value === null) return value;
    const changed = fields.flatMap(([name, replace]) =>
      name in value ? [[name, replace((value as Record<string, unknown>)[name], translate)]] : [],
    );
    return { ...value, ...Object.fromEntries(changed) };
  };
}
