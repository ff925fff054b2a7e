import { createHash, createHmac } from 'node:crypto';
import type { PrintInterface } from '../../print/port.ts';
import { traitsOf } from '../../print/traits-of.ts';

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';
const DIGEST_CHARACTERS = 12;

/** The input of one storefront order's references: always the same, also after a restored backup. */
export interface ReferenceSource {
  /** 4 characters of the installation. */
  installation: string;
  key: Buffer;
  shop: string;
  shopifyOrderId: string;
  /** The store's order name, such as `#1001`; only for human readers. */
  orderName: string;
}

/**
 * Makes the `orderReferenceId` of one part: `pl{installation}-{order number}-{part}-{12 base32 characters of an HMAC}`, at most 46
 * characters, no personal data. Where references must be integers, they are 31 bits of the same HMAC, since a sequence would repeat after a restored backup.
 */
export function makeReference(source: ReferenceSource, part: number, printInterface: PrintInterface): string {
  const digest = createHmac('sha256', source.key)
    .update(JSON.stringify([source.shop, source.shopifyOrderId, part]))
    .digest();
  if (traitsOf(printInterface).hasIntegerReferences) return String(toInteger(digest));
  const number = source.orderName.replaceAll(/[^A-Za-z0-9]/g, '').slice(-20) || '0';
  return `pl${source.installation}-${number}-${part}-${toBase32(digest, DIGEST_CHARACTERS)}`;
}

/**
 * Makes the service's item id of a line: the numeric id of the store's LineItem, unique within a print order. Where it must be
 * an integer, it is 31 bits of its hash.
 */
export function makeItemReference(shopifyLineItemId: string, printInterface: PrintInterface): string {
  const id = shopifyLineItemId.slice(shopifyLineItemId.lastIndexOf('/') + 1);
  return traitsOf(printInterface).hasIntegerReferences
    ? String(toInteger(createHash('sha256').update(id).digest()))
    : id;
}

/** A whole number from 1 to 2^31 - 1. */
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
