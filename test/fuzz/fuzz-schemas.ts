import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { z } from 'zod';
import { parseJsonObject } from '../../src/inbox/parse-json-object.ts';
import { parseEvent } from '../../src/print/events.ts';
import { parseJson } from '../../src/print/http/parse-json.ts';
import { createRequest, quoteRequest, searchV4Request } from '../print/request-arbitraries.ts';
import { mutate } from './mutate.ts';
import { recordedBodies } from './recorded-bodies.ts';

const SRC = join(import.meta.dirname, '../../src/print');
const REQUESTS = 30;
const SHOWN = 500;

/** Every schema that the print client exports, by its name. */
export async function findSchemas(): Promise<Map<string, z.ZodType>> {
  const schemas = new Map<string, z.ZodType>();
  for (const file of readdirSync(SRC, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts')) continue;
    const exported = (await import(join(SRC, file))) as Record<string, unknown>;
    for (const [name, value] of Object.entries(exported)) if (value instanceof z.ZodType) schemas.set(name, value);
  }
  return schemas;
}

/** What requests, answers and events look like when they are right. */
export function rightBodies(): unknown[] {
  const made = [createRequest, quoteRequest, searchV4Request].flatMap((arbitrary) =>
    fc.sample<unknown>(arbitrary, { numRuns: REQUESTS, seed: 1 }),
  );
  return [...recordedBodies('print').values(), ...made];
}

/**
 * Reads `count` bodies by each schema, as the client reads an answer. Throws at the first that a schema does not take or refuse but
 * throws at, with the seed that makes the body again.
 */
export function fuzzSchemas(schemas: Map<string, z.ZodType>, bodies: unknown[], from: number, count: number): void {
  for (let seed = from; seed < from + count; seed += 1) {
    const value = parseJson(new TextDecoder().decode(mutate(bodies, seed)));
    for (const [name, schema] of schemas) tellSeed(seed, `${name} throws`, () => schema.safeParse(value));
  }
}

/**
 * Puts `value` in every place of each body that a schema takes, and reads it by that schema. Throws as `fuzzSchemas` does. Returns how
 * many places there were.
 */
export function putEverywhere(schemas: Map<string, z.ZodType>, bodies: unknown[], value: unknown): number {
  let places = 0;
  for (const [name, schema] of schemas) {
    for (const body of bodies.filter((one) => schema.safeParse(one).success)) {
      for (const changed of withValueInEachPlace(body, value)) {
        places += 1;
        tell(`${name} throws at ${JSON.stringify(changed).slice(0, SHOWN)}`, () => schema.safeParse(changed));
      }
    }
    tell(`${name} throws at ${JSON.stringify(value)}`, () => schema.safeParse(value));
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

/** Reads `count` events, as the door does. What is returned counts how many had a known kind. */
export function fuzzEvents(bodies: unknown[], from: number, count: number): { known: number; unknown: number } {
  const read = { known: 0, unknown: 0 };
  for (let seed = from; seed < from + count; seed += 1) {
    const body = asTheDoorReads(mutate(bodies, seed));
    const event = tellSeed(seed, 'parseEvent throws', () => parseEvent(body));
    if (event.kind === 'unknown') read.unknown += 1;
    else read.known += 1;
  }
  return read;
}

function asTheDoorReads(bytes: Buffer): unknown {
  try {
    return parseJsonObject(bytes);
  } catch {
    return null;
  }
}

function tellSeed<Result>(seed: number, what: string, act: () => Result): Result {
  return tell(`${what} at the body of seed ${seed}`, act);
}

function tell<Result>(what: string, act: () => Result): Result {
  try {
    return act();
  } catch (cause) {
    throw new Error(what, { cause });
  }
}
