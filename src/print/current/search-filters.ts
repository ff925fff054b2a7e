import { z } from 'zod';
import { stringUpTo, listOf } from '../lengths.ts';
import { parseTimestamp } from '../parse-timestamp.ts';

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const DATE_LENGTH = 40;
const dateSchema = stringUpTo(DATE_LENGTH).refine(
  (value) => DATE.test(value) || parseTimestamp(value) !== null,
  'must be an ISO 8601 date',
);
// The interface declares `startDate` and `endDate` as lists but expects one date in each. Callers may pass a plain string, which becomes a
// list in the request.
const singleDateSchema = z.union([listOf(dateSchema, 0, 1), dateSchema.transform((date) => [date])]);

/** A filter that lists the accepted values. */
export const texts = z.array(z.string());

/** The filters of both order searches (docs/rules/print-interface.md#search-v4). Without `limit`, the service returns 50 records. */
export const searchFilters = {
  channels: texts.optional(),
  countries: texts.optional(),
  endDate: singleDateSchema.optional(),
  financialStatuses: texts.optional(),
  fulfillmentStatuses: texts.optional(),
  ids: texts.optional(),
  limit: z.int().min(1).max(100).optional(),
  offset: z.int().min(0).optional(),
  orderReferenceId: z.string().optional(),
  orderReferenceIds: texts.optional(),
  search: z.string().optional(),
  startDate: singleDateSchema.optional(),
};
