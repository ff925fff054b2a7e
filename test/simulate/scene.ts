import type { App } from '../../src/app.ts';
import type { Shop } from '../../src/database/entities/shops.ts';
import type { PrintRecord } from '../chaos/books/read-books.ts';
import type { Ledger } from './judge/ledger.ts';

/** Platen and both stand-ins, as the judge and the people outside see them. */
export interface Platen {
  /** An App of the judge: its queries and calls take effect at once. */
  app: App;
  shop: Shop;
  /** Calls a control endpoint of a stand-in. Throws unless the response status is 2xx. */
  control: (of: 'print' | 'store', method: Method, path: string, body?: unknown) => Promise<unknown>;
}

type Method = 'GET' | 'POST' | 'DELETE';

/** The setting of one order: Platen and the actions on the order that the books do not show. */
export interface Scene {
  platen: Platen;
  /** Performs a person's action in a running process of Platen. */
  inApp: <Result>(act: (app: App) => Promise<Result>) => Promise<Result>;
  /** The order in the store. */
  order: { id: string; name: string };
  ledger: Ledger;
  /** Whether an order or draft of the print service belongs to the order. */
  owns: (record: PrintRecord) => boolean;
  /** Whether the print service's responses show items and packages. */
  showsItems: boolean;
}

/** The error for a step that the store, the service or Platen currently refuses. */
export class Refused extends Error {}

/** Calls a control endpoint. Throws `Refused` if the stand-in refuses the request. */
export async function ask(
  { platen }: Pick<Scene, 'platen'>,
  of: 'print' | 'store',
  path: string,
  body: unknown = {},
  method: Method = 'POST',
): Promise<unknown> {
  try {
    return await platen.control(of, method, path, method === 'POST' ? body : undefined);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const refusal = /returned (?:400|404|409): (.*)$/s.exec(message)?.[1];
    if (refusal === undefined) throw error;
    throw new Refused(/"message":"((?:[^"\\]|\\.)*)"/.exec(refusal)?.[1] ?? refusal);
  }
}
