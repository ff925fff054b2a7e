import { z } from 'zod';
import { decimal, fields, flag, plainText } from './setting-types.ts';
import { isCountry } from './shipping-rules.ts';

const MAX_ROWS = 50;
const MAX_COUNTRIES = 250;
const MAX_PERCENT = 1_000;

const COUNTRY = 'must be country codes such as DE (ISO 3166-1 alpha-2), or * for every country';
const country = z
  .string(COUNTRY)
  .trim()
  .toUpperCase()
  .refine((code) => code === '*' || isCountry(code), COUNTRY);
const countries = z
  .array(country, 'must be a list of countries such as DE, AT, or * for every country')
  .min(1, 'must name a country, or * for every country')
  .max(MAX_COUNTRIES, `must have at most ${MAX_COUNTRIES} countries`);
/** One row of a price list: an amount per order, and an optional amount per item. */
const priceRow = { countries, amount: decimal, perItem: decimal.optional() };

const aboveZero = decimal.refine((value) => Number(value) > 0, 'must be more than 0');
const ending = decimal.refine((value) => Number(value) < 1, 'must be less than 1, such as 0.99');
const percent = decimal.refine((value) => Number(value) <= MAX_PERCENT, `must be at most ${MAX_PERCENT}`);
const name = plainText(80);

function rowsSchema<Row extends z.ZodType>(row: Row) {
  return z.array(row, 'must be a list of rows').max(MAX_ROWS, `must have at most ${MAX_ROWS} rows`);
}

/** Settings for shipping rates at the store's checkout. Amounts are in the store's own currency. */
export const rateSettings = {
  liveRates: flag.describe("Offer the print service's shipping prices at the store's checkout"),
  rateMargin: fields({ percent: percent.optional(), amount: decimal.optional() })
    .nullable()
    .describe('Markup on the print service\'s shipping price, such as {"percent":"10","amount":"0.50"}; null for none'),
  rateRounding: z
    .union(
      [z.strictObject({ to: aboveZero }), z.strictObject({ ending })],
      'must be either a multiple such as 0.50 or an ending such as 0.99',
    )
    .nullable()
    .describe(
      'How to round up rates: to a multiple with {"to":"0.50"}, or to an ending with {"ending":"0.99"}; null for no rounding',
    ),
  ratesFreeFrom: decimal
    .nullable()
    .describe('Minimum cart value after discounts at which the cheapest rate is free; null for never'),
  rateNames: fields({ normal: name.optional(), standard: name.optional(), express: name.optional() }).describe(
    'Names for the rates at checkout, such as {"normal":"Standardversand","express":"Expressversand"}',
  ),
  ownStockRates: rowsSchema(fields({ ...priceRow, alone: z.boolean('must be true or false').optional() })).describe(
    'Shipping prices for products in a cart that are not printed, such as [{"countries":["*"],"amount":"4.90","perItem":"1.00"}], in the currency of the store. The first row with the country applies, and "*" means every country. With "alone":true, the row also applies if a cart ships from several places, one part of it contains no printed items, and that part has no other rate',
  ),
  fallbackRates: rowsSchema(
    fields({
      ...priceRow,
      name,
      type: z.enum(['normal', 'standard', 'express'], 'must be normal, standard or express').optional(),
    }),
  ).describe(
    'Rates to offer if the print service does not return prices in time, such as [{"name":"Standard shipping","countries":["*"],"amount":"6.90","perItem":"0.50"}]. For each type (normal, standard, express), the first row that lists the country applies',
  ),
};

export const rateDefaults = {
  liveRates: false,
  rateMargin: null,
  rateRounding: null,
  ratesFreeFrom: null,
  rateNames: {},
  ownStockRates: [],
  fallbackRates: [],
};
