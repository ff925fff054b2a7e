import { createHash } from 'node:crypto';
import type { CreateBody } from './recipient-column.ts';

/** The hash that a reference is tied to before its first call: a reference stands for one body. */
export function hashBody(body: CreateBody): string {
  return createHash('sha256').update(JSON.stringify(body)).digest('hex');
}
