import { createHmac } from 'node:crypto';

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';
const DIGEST_CHARACTERS = 12;

/** What makes the references of one storefront order: the same always, also after a restored backup. */
export interface ReferenceSource {
  /** 4 characters of the installation. */
  installation: string;
  key: Buffer;
  shop: string;
  shopifyOrderId: string;
  /** The store's order name, such as `#1001`; only for the reader's eye. */
  orderName: string;
}

/**
 * The `orderReferenceId` of one part: `pl{installation}-{order number}-{part}-{12 base32 characters of an HMAC}`,
 * at most 46 characters, no personal data.
 */
export function makeReference(source: ReferenceSource, part: number): string {
  const number = source.orderName.replaceAll(/[^A-Za-z0-9]/g, '').slice(-20) || '0';
  const digest = createHmac('sha256', source.key)
    .update(JSON.stringify([source.shop, source.shopifyOrderId, part]))
    .digest();
  return `pl${source.installation}-${number}-${part}-${toBase32(digest, DIGEST_CHARACTERS)}`;
}

function toBase32(bytes: Buffer, characters: number): string {
  let bits = 0n;
  for (const byte of bytes.subarray(0, 8)) bits = (bits << 8n) | BigInt(byte);
  let text = '';
  for (let index = 0; index < characters; index += 1)
    text += BASE32.charAt(Number((bits >> BigInt(59 - 5 * index)) & 31n));
  return text;
}
