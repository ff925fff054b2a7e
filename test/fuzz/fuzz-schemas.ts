import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { parseJsonObject } from '../../src/inbox/parse-json-object.ts';
import { parseEvent } from '../../src/print/events.ts';
import { parseJson } from '../../src/print/http/parse-json.ts';
import { CALLS } from '../interface/check/client-calls.ts';
import { fullBody, minimalBody } from '../interface/table/bodies.ts';
import { SAMPLES } from '../interface/table/subjects.ts';
import { mutate } from './mutate.ts';
import { recordedBodies } from './recorded-bodies.ts';

const SRC = join(import.meta.dirname, '../../src/print');
const SHOWN = 500;

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
    for (const [name, schema] of schemas) withSeed(seed, `${name} throws`, () => schema.safeParse(value));
  }
}

/**
 * Puts `value` in each place of every body that a schema accepts, one place at a time, and parses the results with that schema. Throws an
 * error if a schema throws. Returns the number of places.
 */
export function fuzzEveryPlace(schemas: Map<string, z.ZodType>, bodies: unknown[], value: unknown): number {
  let places = 0;
  for (const [name, schema] of schemas) {
    for (const body of bodies.filter((one) => schema.safeParse(one).success)) {
      for (const changed of withValueInEachPlace(body, value)) {
        places += 1;
        explain(`${name} throws at ${JSON.stringify(changed).slice(0, SHOWN)}`, () => schema.safeParse(changed));
      }
    }
    explain(`${name} throws at ${JSON.stringify(value)}`, () => schema.safeParse(value));
  }
  return places;
}

function* withValueInEachPlace(body: unknown, value: unknown): Generator<unknown> {
  yield value;
  if (typeof body !== 'object' || body === null) return;
  for (const [key, inner] of Object.entries(body)) {
    for (const changed of withValueInEachPlace(inner, value)) {
      yield Array.isArray(body) ? body.with(Number(key), changed) : { ...body, [key]: changed };
    }
  }
}

/** Parses `count` events as the endpoint does. Returns how many events are of known kinds and how many are of unknown kinds. */
export function fuzzEvents(bodies: unknown[], from: number, count: number): { known: number; unknown: number } {
  const read = { known: 0, unknown: 0 };
  for (let seed = from; seed < from + count; seed += 1) {
    const body = readAsEndpoint(mutate(bodies, seed));
    const event = withSeed(seed, 'parseEvent throws', () => parseEvent(body));
    if (event.kind === 'unknown') read.unknown += 1;
    else read.known += 1;
  }
  return read;
}

function readAsEndpoint(bytes: Buffer): unknown {
  try {
    return parseJsonObject(bytes);
  } catch {
    return null;
  }
}

function withSeed<Result>(seed: number, what: string, act: () => Result): Result {
  return explain(`${what} at the body of seed ${seed}`, act);
}

function explain<Result>(what: string, act: () => Result): Result {
  try {
    return act();
  } catch (cause) {
    throw new Error(what, { cause });
  }
}
