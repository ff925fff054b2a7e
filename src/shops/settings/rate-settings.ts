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
  .array(country, 'must be a list of countries such as ["DE","AT"], or ["*"] for every country')
  .min(1, 'must name a country, or * for every country')
  .max(MAX_COUNTRIES, `must be at most ${MAX_COUNTRIES} countries`);
/** One row of a price list: for each order, and for each piece beside that. */
const priceRow = { countries, amount: decimal, perItem: decimal.optional() };

const aboveZero = decimal.refine((value) => Number(value) > 0, 'must be more than 0');
const ending = decimal.refine((value) => Number(value) < 1, 'must be less than 1, such as 0.99');
const percent = decimal.refine((value) => Number(value) <= MAX_PERCENT, `must be at most ${MAX_PERCENT}`);
const name = plainText(80);

function rows<Row extends z.ZodType>(row: Row) {
  return z.array(row, 'must be a list of rows').max(MAX_ROWS, `must be at most ${MAX_ROWS} rows`);
}

/** Shipping rates at the store's checkout. Amounts are in the store's own currency. */
export const rateSettings = {
  liveRates: flag.describe("Offer the print service's shipping prices at the store's checkout"),
  rateMargin: fields({ percent: percent.optional(), amount: decimal.optional() })
    .nullable()
    .describe(
      'What is added to the print service\'s shipping price, such as {"percent":"10","amount":"0.50"}; null: nothing',
    ),
  rateRounding: z
    .union(
      [z.strictObject({ to: aboveZero }), z.strictObject({ ending })],
      'must be {"to":"0.50"} or {"ending":"0.99"}',
    )
    .nullable()
    .describe(
      'How rates are rounded, always up: to a multiple as {"to":"0.50"}, or to an ending as {"ending":"0.99"}; null: not',
    ),
  ratesFreeFrom: decimal
    .nullable()
    .describe('From this value of the cart on, after discounts, the cheapest rate is free; null: never'),
  rateNames: fields({ normal: name.optional(), standard: name.optional(), express: name.optional() }).describe(
    'What rates are called at checkout, such as {"normal":"Standardversand","express":"Expressversand"}',
  ),
  ownStockRates: rows(fields({ ...priceRow, alone: z.boolean('must be true or false').optional() })).describe(
    'What it costs to ship the other products of a cart beside the printed ones, such as [{"countries":["*"],"amount":"4.90","perItem":"1.00"}]; the first row with the country counts. With "alone":true a row is also the rate of a part of an order that has nothing printed, for carts sent from several places whose own part has no other rate',
  ),
  fallbackRates: rows(
    fields({
      ...priceRow,
      name,
      type: z.enum(['normal', 'standard', 'express'], 'must be normal, standard or express').optional(),
    }),
  ).describe(
    'The rates offered while the print service gives no prices in time, such as [{"name":"Standard shipping","countries":["*"],"amount":"6.90","perItem":"0.50"}]; of each type (normal, standard, express) the first row with the country counts',
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
