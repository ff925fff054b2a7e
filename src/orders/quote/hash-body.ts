import { createHash } from 'node:crypto';
import type { PrintOrderBody } from '../../print/port.ts';

/** Returns the body's hash. Platen stores the hash before the first request, because a reference must identify only one body. */
export function hashBody(body: PrintOrderBody): string {
  return createHash('sha256').update(JSON.stringify(body)).digest('hex');
}
