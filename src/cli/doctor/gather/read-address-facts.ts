import { probeAddress } from '../../../http/ops/probe-address.ts';
import { codeOf } from '../code-of.ts';
import type { AddressFacts } from '../find/find-address-problems.ts';

/** Requests the health check of the public address, as Shopify reaches it. */
export async function readAddressFacts(url: string): Promise<AddressFacts> {
  try {
    const { status, body, milliseconds } = await probeAddress(`${url}/healthz`);
    return { url, answer: { status, isPlaten: isAlive(body), milliseconds }, failure: null };
  } catch (error) {
    return { url, answer: null, failure: codeOf(error) };
  }
}

function isAlive(body: string): boolean {
  try {
    return (JSON.parse(body) as { alive?: unknown } | null)?.alive === true;
  } catch {
    return false;
  }
}
