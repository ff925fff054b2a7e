import { randomBytes } from 'node:crypto';
import type { Clock } from '../../../src/clock.ts';

const EXPIRES_SECONDS = 86_400;

/**
 * Returns a signed image URL with a time limit (docs/rules/print-interface.md#store-product). The URL is different on each read, so that
 * tests detect a client that stores it.
 */
export function signPreviewUrl(clock: Clock, id: string): string {
  const date = clock.now().toISOString().slice(0, 19).replaceAll('-', '').replaceAll(':', '');
  const query = new URLSearchParams({
    'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
    'X-Amz-Date': `${date}Z`,
    'X-Amz-Expires': String(EXPIRES_SECONDS),
    'X-Amz-SignedHeaders': 'host',
    'X-Amz-Signature': randomBytes(32).toString('hex'),
  });
  return `https://previews.example/store_product_image/${id}/preview?${query.toString()}`;
}
