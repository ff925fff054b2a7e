import { probeAddress } from '../../../http/ops/probe-address.ts';
import { codeOf } from '../code-of.ts';
import type { AddressFacts } from '../find/find-address-problems.ts';

/**
 * Requests the path of Shopify's webhooks at the public address, because a proxy does not have to expose the health checks
 * (docs/operators/configure.md#proxy-and-tls). The path only accepts POST, so Platen responds with its own error.
 */
export async function readAddressFacts(url: string): Promise<AddressFacts> {
  try {
    const { status, body, milliseconds } = await probeAddress(`${url}/webhooks/shopify`);
    return { url, answer: { status, isPlaten: status === 404 && isNotFound(body), milliseconds }, failure: null };
  } catch (error) {
    return { url, answer: null, failure: codeOf(error) };
  }
}

/** Whether a response is Platen's error for a path or method that does not exist. */
function isNotFound(body: string): boolean {
  try {
    const { error } = (JSON.parse(body) ?? {}) as { error?: { code?: unknown; field?: unknown } | null };
    return error?.code === 'not_found' && error.field === null;
  } catch {
    return false;
  }
}
