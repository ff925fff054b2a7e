import { createHash } from 'node:crypto';
import type { TracedOrder } from './work.ts';

export interface TraceIds {
  /** 32 hexadecimal digits. */
  traceId: string;
  /** The span of the order itself: 16 hexadecimal digits. */
  spanId: string;
}

/**
 * Computes the IDs of an order's trace. Every process computes the same IDs at any time, so none are stored. `app` is the app's client ID,
 * because a copy of the installation, for example for tests, has another app but may know the same orders.
 */
export function toTraceIds(app: string, { shop, orderId }: TracedOrder): TraceIds {
  const digest = createHash('sha256')
    .update(JSON.stringify([app, shop, orderId]))
    .digest('hex');
  return { traceId: digest.slice(0, 32), spanId: digest.slice(32, 48) };
}
