import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FIXTURES = join(import.meta.dirname, '../fixtures/shopify');

/** Recorded Shopify deliveries, with unchanged headers and bodies. */
export const recordedWebhooks: { topic: string; headers: Record<string, string>; body: Buffer }[] = readdirSync(
  FIXTURES,
)
  .filter((name) => name.startsWith('hookdeck_') && name.endsWith('.headers.json'))
  .map((name) => {
    const headers = JSON.parse(readFileSync(join(FIXTURES, name), 'utf8')) as Record<string, string>;
    const body = readFileSync(join(FIXTURES, name.replace('.headers', '')));
    return { topic: headers['x-shopify-topic'] ?? '', headers, body };
  });
