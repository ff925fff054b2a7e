import { createHmac, timingSafeEqual } from 'node:crypto';

/** The signed content, and the signature as received. */
interface Signed {
  content: string | Buffer;
  signature: string;
  encoding: 'base64' | 'hex';
}

/**
 * Returns whether one of the app's secrets signed the content. Compares the signature as text without decoding it, because base64 can
 * encode the same bytes in several ways. Every secret is tried, so that the timing does not reveal which secret matched.
 */
export function isSigned(secrets: readonly string[], { content, signature, encoding }: Signed): boolean {
  const given = Buffer.from(signature);
  const matches = secrets.filter((secret) => {
    const expected = Buffer.from(createHmac('sha256', secret).update(content).digest(encoding));
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  return matches.length > 0;
}
