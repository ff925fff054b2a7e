import { z } from 'zod';
import type { listCostsPage } from '../../../orders/costs/list-costs.ts';
import type { readCostDays } from '../../../orders/costs/read-cost-days.ts';
import type { totalCosts } from '../../../orders/costs/total-costs.ts';
import { unknownReasons, type UnknownReason } from '../../../orders/costs/to-margin.ts';
import { jsonResponse, csv, describeRoute } from '../route.ts';
import { after, count, next, period, printOrderState, text, time } from './shared.ts';

const amount = z.string().meta({ description: 'A decimal number.' });

/** The reason for an unknown margin. */
const unknown = z
  .strictObject({ code: z.enum(Object.keys(unknownReasons) as UnknownReason[]), message: text })
  .nullable();

/** The margin of an order or of a print order. */
export const margin = {
  charged: z
    .strictObject({
      currency: z.string(),
      products: amount,
      packaging: amount,
      shipping: amount,
      other: amount,
      tax: amount,
      total: amount,
    })
    .meta({ id: 'ChargedCost' })
    .nullable(),
  paid: z
    .strictObject({ currency: z.string(), lines: amount, shipping: amount, adjustment: amount, total: amount })
    .meta({ id: 'Paid' })
    .nullable(),
  margin: z
    .strictObject({ amount, currency: z.string(), percent: z.string().nullable() })
    .meta({ id: 'Margin' })
    .nullable(),
  unknown,
};

export const quotedCost = z
  .strictObject({ currency: z.string(), products: amount.nullable(), shipping: amount, total: amount.nullable() })
  .meta({ id: 'QuotedCost' })
  .nullable();

/** The costs of one print order. */
export const printCosts = { ...margin, quoted: quotedCost };

const costs = z.strictObject({
  costs: z.array(
    z
      .strictObject({
        orderId: z.string(),
        order: z.string(),
        placedAt: time,
        reference: z.string(),
        state: printOrderState,
        orderedAt: time,
        ...printCosts,
      })
      .meta({ id: 'ListedCosts' }),
  ),
  next,
});

const sums = { printOrders: count, paid: amount, charged: amount, margin: amount };

const totals = z.strictObject({
  totals: z.array(z.strictObject({ currency: z.string(), ...sums }).meta({ id: 'CurrencyTotal' })),
  unknown: count.meta({ description: 'The number of print orders without a known margin. The totals omit them.' }),
});

const costDays = z.strictObject({
  currency: z.string(),
  otherCurrencies: z.array(z.string()),
  days: z.array(z.strictObject({ day: z.iso.date(), ...sums })),
  total: z.strictObject(sums),
  unknown: count,
  isWhole: z.boolean(),
});

export const costsRoutes = [
  describeRoute('GET /api/costs', {
    query: z.object({ ...period, after }),
    answers: { 200: jsonResponse<typeof listCostsPage>()(costs) },
    errors: [400],
  }),
  describeRoute('GET /api/costs/totals', {
    query: z.object(period),
    answers: {
      200: jsonResponse<{ sums: Awaited<ReturnType<typeof totalCosts>> }>()(
        z.strictObject({ sums: totals.nullable() }),
      ),
    },
    errors: [400],
  }),
  describeRoute('GET /api/costs/days', { answers: { 200: jsonResponse<typeof readCostDays>()(costDays) } }),
  describeRoute('GET /api/costs/export', { query: z.object(period), answers: { 200: csv }, errors: [400] }),
];
