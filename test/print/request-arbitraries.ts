import fc from 'fast-check';
import { isSupportedCountry } from '../../sandbox/print/production/facilities.ts';
import { ENVELOPE, MUG, PHONE_CASE, PHOTO_BOOK, POSTER } from '../sandbox/print/service.ts';

// Requests generated from the documented rules of the interface, not from the schemas. Lengths are in characters (code points).

type Body = Record<string, unknown>;

const CURRENCIES =
  'EUR USD JPY BGN CZK DKK GBP HUF PLN RON SEK CHF ISK NOK HRK RUB TRY AUD BRL CAD CNY HKD IDR ILS INR KRW MXN MYR NZD PHP SGD THB ZAR CLP AED'.split(
    ' ',
  );

const LETTERS = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ');
const WITH_STATE = ['AU', 'CA', 'US'];
const IN_LOCAL_SCRIPT = ['CN', 'JP', 'KR', 'RU'];
const COUNTRIES = LETTERS.flatMap((one) => LETTERS.map((other) => one + other)).filter(isSupportedCountry);
const elsewhere = COUNTRIES.filter((country) => ![...WITH_STATE, ...IN_LOCAL_SCRIPT, 'BR'].includes(country));
/** One character each, with one or two UTF-16 units. */
const CHARACTERS = ['x', 'é', '字', '😀', '𝒳', '\u0000', '\ud800', '"'];

/** Returns an arbitrary for strings whose length is within these bounds, and often exactly the maximum. */
function text(min: number, max: number): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 3, arbitrary: fc.string({ unit: 'grapheme-ascii', minLength: min, maxLength: max }) },
    { weight: 2, arbitrary: fc.string({ unit: 'binary', minLength: min, maxLength: max }) },
    { weight: 1, arbitrary: fc.constantFrom(...CHARACTERS).map((character) => character.repeat(max)) },
  );
}

const reference = text(1, 60);
const url = fc.webUrl({ withQueryParameters: true, withFragments: true });
const phone = fc.oneof(fc.stringMatching(/^\+?[ ()]{0,3}[0-9][0-9 ()]{0,20}$/), fc.constant(`+${'1'.repeat(24)}`));
const lineBreaks = ['\n', '\r', '\u2028', '\u2029'];
const partOfEmail = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 40 })
  .filter((part) => lineBreaks.every((lineBreak) => !part.includes(lineBreak)));
/** Email addresses that match the pattern `^.+@[^"-].+$`. */
const email = fc.oneof(
  { weight: 3, arbitrary: fc.emailAddress() },
  {
    weight: 1,
    arbitrary: fc
      .tuple(partOfEmail, fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }), partOfEmail)
      .filter(([, first]) => first !== '"' && first !== '-')
      .map(([before, first, after]) => `${before}@${first}${after}`),
  },
  { weight: 1, arbitrary: fc.constantFrom('a@bc', `${'a'.repeat(249)}@b.co`, '@@@@', 'a@b@-c') },
);

const localCharacters = fc.constantFrom(...Array.from('北京市路東京都渋谷区서울특별시Москваул 1-2,'));
const latinCharacters = fc.constantFrom(...Array.from('abcXYZéßＡ'));
const localLine = fc
  .tuple(
    fc.array(localCharacters, { minLength: 1, maxLength: 25 }),
    fc.oneof(fc.array(latinCharacters, { maxLength: 10 }), fc.array(latinCharacters, { minLength: 10, maxLength: 10 })),
  )
  .map((parts) => parts.flat().join(''));

const cpf = fc.stringMatching(/^[0-9]{3}\.?[0-9]{3}\.?[0-9]{3}-?[0-9]{2}$/);
const cnpj = fc.stringMatching(/^[0-9A-Z]{2}\.?[0-9A-Z]{3}\.?[0-9A-Z]{3}\/?[0-9A-Z]{4}-?[0-9]{2}$/);
const company = { stateTaxId: text(1, 20), registrationStateCode: text(1, 10) };

const person = fc.record({ isBusiness: fc.constant(false), federalTaxId: cpf }, { requiredKeys: ['federalTaxId'] });
const business = fc.record({ isBusiness: fc.constant(true), federalTaxId: cnpj, ...company });
const taxFieldsElsewhere = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  { weight: 1, arbitrary: fc.record({ isBusiness: fc.boolean(), federalTaxId: text(0, 30) }, { requiredKeys: [] }) },
  {
    weight: 1,
    arbitrary: fc.record({ isBusiness: fc.constant(true), ...company }, { requiredKeys: ['isBusiness'] }),
  },
);

const LINES = { addressLine1: text(1, 35), addressLine2: text(0, 35) };
const LOCAL_LINES = { addressLine1: localLine, addressLine2: localLine };
const state = text(0, 35);
const stateThere = text(1, 35);

/** The parts of an address that depend on its country. */
const place = fc.oneof(
  fc.record({ country: fc.constantFrom(...elsewhere), ...LINES, state }, { requiredKeys: ['country', 'addressLine1'] }),
  fc.record(
    { country: fc.constantFrom(...WITH_STATE), ...LINES, state: stateThere },
    { requiredKeys: ['country', 'addressLine1', 'state'] },
  ),
  fc.record(
    { country: fc.constantFrom(...IN_LOCAL_SCRIPT), ...LOCAL_LINES, state },
    { requiredKeys: ['country', 'addressLine1'] },
  ),
);
const placeInBrazil = fc.record(
  { country: fc.constant('BR'), ...LINES, state },
  { requiredKeys: ['country', 'addressLine1'] },
);

const names = fc.record(
  {
    firstName: text(1, 25),
    lastName: text(1, 25),
    companyName: text(0, 60),
    city: text(1, 30),
    postCode: text(1, 15),
    email,
    phone,
  },
  { requiredKeys: ['firstName', 'lastName', 'city', 'postCode', 'email'] },
);

/** A `shippingAddress` or `recipient` that the interface allows. */
const shippingAddress: fc.Arbitrary<Body> = fc
  .oneof(
    { weight: 3, arbitrary: fc.tuple(names, place, taxFieldsElsewhere) },
    { weight: 1, arbitrary: fc.tuple(names, placeInBrazil, fc.oneof(person, business)) },
  )
  .map(([one, other, more]) => ({ ...one, ...other, ...more }));

/** A `returnAddress` that the interface allows. */
const returnAddress: fc.Arbitrary<Body> = fc
  .tuple(
    fc.record(
      { companyName: text(0, 60), city: text(0, 30), postCode: text(0, 15), email, phone },
      { requiredKeys: [] },
    ),
    fc.oneof(
      fc.record({ ...LINES, state }, { requiredKeys: [] }),
      fc.record({ ...LINES, state, country: fc.constantFrom(...elsewhere, 'BR') }, { requiredKeys: ['country'] }),
      fc.record(
        { ...LINES, state: stateThere, country: fc.constantFrom(...WITH_STATE) },
        { requiredKeys: ['country', 'state'] },
      ),
      fc.record({ ...LOCAL_LINES, state, country: fc.constantFrom(...IN_LOCAL_SCRIPT) }, { requiredKeys: ['country'] }),
    ),
  )
  .map(([one, other]) => ({ ...one, ...other }));

const quantity = fc.oneof(fc.integer({ min: 1, max: 50 }), fc.constantFrom(1, 10_000, Number.MAX_SAFE_INTEGER));
const pageCount = fc.integer({ min: 1, max: 300 });

/**
 * Returns an arbitrary for the products of a create or quote request. Printed products have a file, and products with pages a page count.
 */
function lines(file: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Body[]> {
  const line = (productUid: fc.Arbitrary<string>, more: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Body> =>
    fc.record({ itemReferenceId: reference, productUid, quantity, ...more });
  const flat = fc.constantFrom(POSTER, MUG, PHONE_CASE);
  const envelope = fc.constant(ENVELOPE);
  const anyLine = fc.oneof(
    line(flat, file),
    line(flat, { ...file, pageCount }),
    line(fc.constant(PHOTO_BOOK), { ...file, pageCount }),
    line(envelope, {}),
    line(envelope, file),
  );
  return fc.uniqueArray(anyLine, { minLength: 1, maxLength: 5, selector: ({ itemReferenceId }) => itemReferenceId });
}

const metadata = fc.oneof(
  fc.array(fc.record({ key: text(1, 100), value: text(0, 100) }), { maxLength: 4 }),
  fc.array(fc.record({ key: fc.constant('k'), value: fc.constant('v') }), { minLength: 20, maxLength: 20 }),
);

/** Create requests that the interface allows. */
export const createRequest: fc.Arbitrary<Body> = fc.record(
  {
    orderType: fc.constantFrom('order', 'draft'),
    orderReferenceId: reference,
    customerReferenceId: reference,
    currency: fc.constantFrom(...CURRENCIES),
    items: lines({ fileUrl: url }),
    metadata,
    shippingAddress,
    shipmentMethodUid: fc.constantFrom('normal', 'express'),
    returnAddress,
  },
  {
    requiredKeys: ['orderReferenceId', 'customerReferenceId', 'currency', 'items', 'shippingAddress'],
  },
);

const file = fc.record({ type: fc.oneof(fc.constantFrom('default', 'back'), text(1, 20)), url });

/** Quote requests that the interface allows. */
export const quoteRequest: fc.Arbitrary<Body> = fc.record(
  {
    orderReferenceId: reference,
    customerReferenceId: reference,
    currency: fc.constantFrom(...CURRENCIES),
    recipient: shippingAddress,
    products: lines({ files: fc.array(file, { minLength: 1, maxLength: 3 }) }),
    allowMultipleQuotes: fc.boolean(),
  },
  { requiredKeys: ['orderReferenceId', 'customerReferenceId', 'currency', 'recipient', 'products'] },
);

const texts = fc.array(text(0, 40), { maxLength: 5 });
const date = fc
  .tuple(
    fc.date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }),
    fc.constantFrom('Z', '+00:00', '+0000', '-0530', '+14:00'),
    fc.boolean(),
  )
  .map(([moment, zone, isDay]) => {
    const iso = moment.toISOString();
    return isDay ? iso.slice(0, 10) : iso.slice(0, 19) + zone;
  });
const oneDate = fc.oneof(
  date,
  date.map((one) => [one]),
);
const filters = {
  channels: texts,
  countries: texts,
  financialStatuses: texts,
  fulfillmentStatuses: texts,
  ids: texts,
  limit: fc.oneof(fc.integer({ min: 1, max: 100 }), fc.constantFrom(1, 100)),
  offset: fc.oneof(fc.nat(500), fc.constantFrom(0, Number.MAX_SAFE_INTEGER)),
  orderReferenceId: text(0, 60),
  orderReferenceIds: texts,
  search: text(0, 60),
  startDate: oneDate,
  endDate: oneDate,
};

/** Requests of the v4 search that the interface allows. */
export const searchV4Request: fc.Arbitrary<Body> = fc.record(
  {
    ...filters,
    currencies: texts,
    orderTypes: fc.array(fc.constantFrom('order', 'draft'), { maxLength: 2 }),
    storeIds: texts,
  },
  { requiredKeys: [] },
);
