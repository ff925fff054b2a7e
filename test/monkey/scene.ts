import { setTimeout as delay } from 'node:timers/promises';
import type { Platen } from '../helpers/platen.ts';
import type { Clock } from './clock.ts';
import type { Ledger } from './judge/ledger.ts';

/** The setting of a played order: Platen, its clock and the actions on the order that the records do not show. */
export interface Scene {
  platen: Platen;
  clock: Clock;
  /** The order in the store. */
  order: { id: string; name: string };
  ledger: Ledger;
  /** Whether the print service's responses show items and packages. */
  showsItems: boolean;
}

/** The error for a step that the store, the service or Platen currently refuses. */
export class Refused extends Error {}

/** Calls a control endpoint. Throws `Refused` if the stand-in refuses the request. */
export async function ask(
  { platen }: Scene,
  of: 'print' | 'store',
  path: string,
  body: unknown = {},
  method: 'GET' | 'POST' = 'POST',
): Promise<unknown> {
  try {
    return await platen.control(of, method, path, method === 'GET' ? undefined : body);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const refusal = /returned (?:400|404|409): (.*)$/s.exec(message)?.[1];
    if (refusal === undefined) throw error;
    throw new Refused(/"message":"((?:[^"\\]|\\.)*)"/.exec(refusal)?.[1] ?? refusal);
  }
}

/** Polls until `look` returns a value. Throws if no value arrives in time. */
export async function until<Value>(look: () => Promise<Value | null>, what: string, limitMs = 20_000): Promise<Value> {
  for (let waitedMs = 0; waitedMs < limitMs; waitedMs += 25) {
    const found = await look();
    if (found !== null) return found;
    await delay(25);
  }
  throw new Error(`${what} did not happen within ${limitMs / 1000} s.`);
}
