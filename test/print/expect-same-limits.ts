import fc from 'fast-check';
import { expect } from 'vitest';
import { z } from 'zod';
import type { Client } from '../sandbox/print/service.ts';
import { toInvalidRequestError } from '../../src/print/http/to-print-error.ts';
import { change, type BrokenLimit } from './broken-limits.ts';
import type { Body } from './request-arbitraries.ts';

/** A call whose limits both the client and the service must enforce. */
export interface LimitedCall {
  path: string;
  schema: z.ZodType;
  allowed: fc.Arbitrary<Body>;
  /** Where the service names an invalid field: in the details or, in the earlier interface, only in the message. */
  names?: 'details' | 'message';
}

const detailsSchema = z.object({ details: z.array(z.object({ reference: z.string() })) });
const messageSchema = z.strictObject({ message: z.string() });

/** Expects that the client sends an allowed request and that the service accepts the request. */
export async function expectAccepted(service: Client, { path, schema, allowed }: LimitedCall, numRuns: number) {
  await fc.assert(
    fc.asyncProperty(allowed, async (body) => {
      expect(schema.safeParse(body).error?.issues ?? []).toEqual([]);
      expect(await service.call('POST', path, body)).toMatchObject({ status: 200 });
    }),
    { numRuns },
  );
}

/** Expects that the client and the service both refuse a request that breaks one limit, and that both name the limited field. */
export async function expectRefused(
  service: Client,
  { path, schema, allowed, names = 'details' }: LimitedCall,
  limit: BrokenLimit,
  numRuns: number,
) {
  await fc.assert(
    fc.asyncProperty(allowed, limit.change, async (body, values) => {
      const broken = change(body, values);
      const { error } = schema.safeParse(broken);
      const fields = error?.issues.map((issue) => z.core.toDotPath(issue.path));
      expect([...new Set(fields)]).toEqual([limit.field]);
      if (error) expect(toInvalidRequestError('call', error).field).toBe(limit.field);
      const refusal = await service.call('POST', path, broken);
      expect(refusal.status).toBe(400);
      if (names === 'message') expect(messageSchema.parse(refusal.body).message).toContain(` ${limit.field}: `);
      else expect(fieldsOf(refusal.body)).toEqual([limit.field]);
    }),
    { numRuns },
  );
}

function fieldsOf(refusal: unknown): string[] {
  const { details } = detailsSchema.parse(refusal);
  return [...new Set(details.map(({ reference }) => reference))];
}
