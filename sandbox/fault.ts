import { z } from 'zod';

export const faultSchema = z.strictObject({
  method: z.string().optional(),
  path: z.string().optional(),
  operation: z.string().optional(),
  rate: z.number().min(0).max(1).default(1),
  kind: z.enum(['status', 'reset', 'timeout', 'truncate']),
  status: z.int().min(200).max(599).default(503),
  effect: z.enum(['none', 'done', 'late']).default('none'),
  lateMs: z.int().min(0).max(600_000).default(500),
  times: z.int().min(0).optional(),
  /** The seconds in the `Retry-After` header of an injected error status. */
  retryAfter: z.int().min(0).max(600).optional(),
});

/** One fault rule, as the control endpoint accepts it. `times` is decremented to 0. */
export type Fault = z.output<typeof faultSchema>;
