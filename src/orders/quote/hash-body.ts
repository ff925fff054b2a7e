import { createHash } from 'node:crypto';
import type { PrintOrderBody } from '../../print/port.ts';

/** The hash that a reference is tied to before its first call, since a reference stands for one body. */
export function hashBody(body: PrintOrderBody): string {
  return createHash('sha256').update(JSON.stringify(body)).digest('hex');
}
