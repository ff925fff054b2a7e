import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { parseJson } from '../../src/print/http/parse-json.ts';
import { CALLS } from '../interface/check/client-calls.ts';
import { fullBody, minimalBody } from '../interface/table/bodies.ts';
import { SAMPLES } from '../interface/table/subjects.ts';
import { mutate } from './mutate.ts';
import { recordedBodies } from './recorded-bodies.ts';

const SRC = join(import.meta.dirname, '../../src/print');

/** Returns every schema that the print client exports, by name. */
export async function findSchemas(): Promise<Map<string, z.ZodType>> {
  const schemas = new Map<string, z.ZodType>();
  for (const file of readdirSync(SRC, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts')) continue;
    const exported = (await import(join(SRC, file))) as Record<string, unknown>;
    for (const [name, value] of Object.entries(exported)) if (value instanceof z.ZodType) schemas.set(name, value);
  }
  return schemas;
}

/** Returns the recorded bodies, and documented requests and responses with all their fields or only the required ones. */
export function validBodies(): unknown[] {
  const documented = CALLS.flatMap(({ request, response }) => [request ?? [], response ?? []]).flatMap((fields) => [
    fullBody(fields, SAMPLES),
    minimalBody(fields, SAMPLES),
  ]);
  return [...recordedBodies('print').values(), ...documented];
}

/**
 * Parses `count` bodies with each schema, as the client parses a response. If a schema throws instead of accepting or rejecting a body,
 * throws an error with the seed that reproduces the body.
 */
export function fuzzSchemas(schemas: Map<string, z.ZodType>, bodies: unknown[], from: number, count: number): void {
  for (let seed = from; seed < from + count; seed += 1) {
    const value = parseJson(new TextDecoder().decode(mutate(bodies, seed)));
    for (const [name, schema] of schemas) {
      try {
        schema.safeParse(value);
      } catch (cause) {
        throw new Error(`${name} throws at the body of seed ${seed}`, { cause });
      }
    }
  }
}
