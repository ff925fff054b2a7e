import { randomBytes } from 'node:crypto';
import type Router from '@koa/router';
import { z } from 'zod';
import type { Books } from '../../books.ts';
import { jsonOf } from '../../json-body.ts';
import { parseOrRefuse, Refusal } from '../../refusal.ts';
import type { StandIn } from '../stand-in.ts';

/** Where a call of the earlier interface came in; what is ordered at the test host costs nothing and is no real order. */
export type Host = 'live' | 'test';
export type Version = 'v1' | 'v2';

/** A product of a quote; references are kept as text. */
export interface QuotedProduct {
  itemReferenceId: string;
  productUid: string;
  pdfUrl: string;
  quantity: number;
  envelopes: { productUid: string; quantity: number }[];
}

/** Where a quote goes, under the interface's names. */
export interface Recipient {
  countryIsoCode: string;
  companyName?: string | undefined;
  firstName: string;
  lastName: string;
  addressLine1: string;
  addressLine2?: string | undefined;
  city: string;
  postcode: string;
  stateCode?: string | undefined;
  email: string;
  phone?: string | undefined;
}

/** Everything that an order from a quote needs. */
export interface QuotedOrder {
  /** Of the quote call: its productions are parts of one order. */
  quoteId: string;
  account: string;
  host: Host;
  version: Version;
  orderReferenceId: string;
  customerReferenceId: string;
  currency: string;
  recipient: Recipient;
}

/** One way to ship one production of a quote. */
export interface ShippingPromise extends QuotedOrder {
  promiseUid: string;
  /** Milliseconds since 1970. */
  expiresMs: number;
  facilityId: string;
  shipmentMethodUid: string;
  products: QuotedProduct[];
}

/** Of a promise (docs/rules/print-interface.md#promise). */
const DEFAULT_LIFE_SECONDS = 24 * 60 * 60;
const PROMISE_UID_CHARACTERS = 24;

const lifeSchema = z.strictObject({ lifeSeconds: z.number().min(0).max(1e9).nullable() });

/** `POST /_control/promises` sets how long the promises made from now on hold; null: a day. */
export function addPromiseDoor(router: Router, { books }: StandIn): void {
  router.post('/promises', (ctx) => {
    const life = parseOrRefuse(lifeSchema, jsonOf(ctx));
    books.put('promiseLife', 'seconds', life.lifeSeconds);
    ctx.body = life;
  });
}

/** When a promise made now expires, in milliseconds since 1970. */
export function expiryOf(books: Books, nowMs: number): number {
  return nowMs + (books.get<number | null>('promiseLife', 'seconds') ?? DEFAULT_LIFE_SECONDS) * 1000;
}

/** A promise uid that never comes again: `d_` and 24 letters and digits. */
export function nextPromiseUid({ ids }: StandIn): string {
  const unique = Number(ids.nextNumber()).toString(36);
  return `d_${(unique + randomBytes(PROMISE_UID_CHARACTERS).toString('hex')).slice(0, PROMISE_UID_CHARACTERS)}`;
}

export function keepPromises({ books }: StandIn, promises: readonly ShippingPromise[]): void {
  books.write(promises.map((promise) => ['put', 'promises', promise.promiseUid, promise]));
}

/** The promise of this account at this host. Throws a `Refusal` (400) for one that is unknown, another's or expired. */
export function findPromise({ books }: StandIn, account: string, host: Host, promiseUid: string): ShippingPromise {
  const promise = books.get<ShippingPromise>('promises', promiseUid);
  if (!promise || promise.account !== account || promise.host !== host) {
    throw new Refusal(400, 'invalid_request', 'promiseUid: there is no such promise.');
  }
  if (promise.expiresMs <= Date.now()) {
    throw new Refusal(400, 'invalid_request', 'promiseUid: the promise has expired.');
  }
  return promise;
}
