import { createHash, createHmac } from 'node:crypto';
import type { PrintInterface } from '../../print/port.ts';
import { getTraits } from '../../print/get-traits.ts';

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';
const DIGEST_CHARACTERS = 12;

/** The data from which all references of a storefront order are computed. It never changes, not even when a backup is restored. */
export interface ReferenceSource {
  /** The installation's 4-character code. */
  installation: string;
  key: Buffer;
  shop: string;
  shopifyOrderId: string;
  /** The store's order name, such as `#1001`. The name helps people recognize the order in a reference. */
  orderName: string;
}

/**
 * The place of a reference among the references of its storefront order. References are numbered per fulfillment order, because the store
 * remembers each fulfillment order, even a closed one. A database that has forgotten a print order therefore computes its reference again
 * only for the same units.
 */
export interface ReferencePlace {
  /** The fulfillment order for which the print order was made. The print order's units may have moved to another one since. */
  shopifyFulfillmentOrderId: string;
  /** 1 for the fulfillment order's first print order. */
  number: number;
}

/**
 * Computes an `orderReferenceId`: `pl{installation}-{order number}-{number}-{12 base32 characters of an HMAC}`, with at most 46 characters
 * and no personal data. If references must be integers, they consist of 31 bits of the same HMAC, because a sequence would repeat after a
 * restore.
 */
export function computeReference(
  source: ReferenceSource,
  { shopifyFulfillmentOrderId, number }: ReferencePlace,
  printInterface: PrintInterface,
): string {
  const digest = createHmac('sha256', source.key)
    .update(JSON.stringify([source.shop, source.shopifyOrderId, shopifyFulfillmentOrderId, number]))
    .digest();
  if (getTraits(printInterface).hasIntegerReferences) return String(toInteger(digest));
  const name = source.orderName.replaceAll(/[^A-Za-z0-9]/g, '').slice(-20) || '0';
  return `pl${source.installation}-${name}-${number}-${toBase32(digest, DIGEST_CHARACTERS)}`;
}

/**
 * Computes the reference of the draft that `platen check` creates for a shop. It has the installation's prefix, so the daily audit reports
 * an order with this reference if someone confirms the draft. Other references have a number in place of `draft`, so no print order has
 * this reference.
 */
export function computeCheckReference({
  installation,
  key,
  shop,
}: Omit<ReferenceSource, 'shopifyOrderId' | 'orderName'>): string {
  const digest = createHmac('sha256', key)
    .update(JSON.stringify([shop, 'check']))
    .digest();
  return `pl${installation}-check-draft-${toBase32(digest, DIGEST_CHARACTERS)}`;
}

/**
 * Computes a line's item ID at the service: the numeric ID of the store's LineItem, which is unique within a print order. If item IDs
 * must be integers, returns 31 bits of the ID's hash.
 */
export function computeItemReference(shopifyLineItemId: string, printInterface: PrintInterface): string {
  const id = shopifyLineItemId.slice(shopifyLineItemId.lastIndexOf('/') + 1);
  return getTraits(printInterface).hasIntegerReferences
    ? String(toInteger(createHash('sha256').update(id).digest()))
    : id;
}

/** Returns an integer from 1 to 2^31 - 1. */
function toInteger(digest: Buffer): number {
  return digest.readUInt32BE() >>> 1 || 1;
}

function toBase32(bytes: Buffer, characters: number): string {
  let bits = 0n;
  for (const byte of bytes.subarray(0, 8)) bits = (bits << 8n) | BigInt(byte);
  let text = '';
  for (let index = 0; index < characters; index += 1)
    text += BASE32.charAt(Number((bits >> BigInt(59 - 5 * index)) & 31n));
  return text;
}
