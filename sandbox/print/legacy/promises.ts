import { randomBytes } from 'node:crypto';
import type Router from '@koa/router';
import { z } from 'zod';
import type { Books } from '../../books.ts';
import { jsonOf } from '../../json-body.ts';
import { parseOrRefuse, Refusal } from '../../refusal.ts';
import type { StandIn } from '../stand-in.ts';

/** The host that received a request of the earlier interface. An order at the test host costs nothing and is not a real order. */
export type Host = 'live' | 'test';
export type Version = 'v1' | 'v2';

/** A product of a quote. References are stored as text. */
export interface QuotedProduct {
  itemReferenceId: string;
  productUid: string;
  pdfUrl: string;
  quantity: number;
  envelopes: { productUid: string; quantity: number }[];
}

/** A quote's recipient, with the interface's field names. */
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

/** The data of a quote that is needed to create orders from its promises. */
export interface QuotedOrder {
  /** The ID of the quote request. Orders from the productions of one quote are parts of one order. */
  quoteId: string;
  account: string;
  host: Host;
  version: Version;
  orderReferenceId: string;
  customerReferenceId: string;
  currency: string;
  recipient: Recipient;
}

/** A shipping option for one production of a quote. */
export interface ShippingPromise extends QuotedOrder {
  promiseUid: string;
  /** Milliseconds since 1970. */
  expiresMs: number;
  facilityId: string;
  shipmentMethodUid: string;
  products: QuotedProduct[];
}

/** The lifetime of a promise (docs/rules/print-interface.md#promise). */
const DEFAULT_LIFETIME_SECONDS = 24 * 60 * 60;
const PROMISE_UID_CHARACTERS = 24;

const lifeSchema = z.strictObject({ lifeSeconds: z.number().min(0).max(1e9).nullable() });

/** Adds `POST /_control/promises`, which sets how long new promises are valid. Null restores the default of one day. */
export function addPromiseEndpoint(router: Router, { books }: StandIn): void {
  router.post('/promises', (ctx) => {
    const life = parseOrRefuse(lifeSchema, jsonOf(ctx));
    books.put('promiseLife', 'seconds', life.lifeSeconds);
    ctx.body = life;
  });
}

/** Returns the time at which a promise created now expires, in milliseconds since 1970. */
export function expiryOf(books: Books, nowMs: number): number {
  return nowMs + (books.get<number | null>('promiseLife', 'seconds') ?? DEFAULT_LIFETIME_SECONDS) * 1000;
}

/** Returns a unique promise uid: `d_` followed by 24 letters and digits. */
export function createPromiseUid({ ids }: StandIn): string {
  const unique = Number(ids.nextNumber()).toString(36);
  return `d_${(unique + randomBytes(PROMISE_UID_CHARACTERS).toString('hex')).slice(0, PROMISE_UID_CHARACTERS)}`;
}

export function savePromises({ books }: StandIn, promises: readonly ShippingPromise[]): void {
  books.write(promises.map((promise) => ['put', 'promises', promise.promiseUid, promise]));
}

/**
 * Finds a promise of this account at this host. Throws a `Refusal` (400) if the promise is unknown, belongs to another account, or has
 * expired.
 */
export function findPromise(
  { clock, books }: StandIn,
  account: string,
  host: Host,
  promiseUid: string,
): ShippingPromise {
  const promise = books.get<ShippingPromise>('promises', promiseUid);
  if (!promise || promise.account !== account || promise.host !== host) {
    throw new Refusal(400, 'invalid_request', 'promiseUid: there is no such promise.');
  }
  if (promise.expiresMs <= clock.now().getTime()) {
    throw new Refusal(400, 'invalid_request', 'promiseUid: the promise has expired.');
  }
  return promise;
}
