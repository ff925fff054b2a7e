import fc from 'fast-check';
import { ENVELOPE, MUG, PHONE_CASE, PHOTO_BOOK, POSTER } from '../../sandbox/print/service.ts';
import { COUNTRIES, CURRENCIES, email, phone, reference, text, url, type Body } from '../request-arbitraries.ts';

// Quote requests of the earlier interface, generated from the documented rules.

const WITH_STATE = ['BR', 'IN', 'CL', 'AU', 'GB', 'US'];
const currencyIsoCode = fc.constantFrom(...CURRENCIES);

const names = fc.record(
  {
    firstName: text(1, 25),
    lastName: text(1, 25),
    addressLine1: text(1, 35),
    addressLine2: text(0, 35),
    city: text(1, 30),
    postcode: text(1, 15),
    email,
    phone,
  },
  { requiredKeys: ['firstName', 'lastName', 'addressLine1', 'city', 'postcode', 'email'] },
);
const place = fc.oneof(
  fc.record(
    {
      countryIsoCode: fc.constantFrom(...COUNTRIES.filter((country) => !WITH_STATE.includes(country))),
      stateCode: text(0, 35),
    },
    { requiredKeys: ['countryIsoCode'] },
  ),
  // Three or more characters, because the carriers do not deliver to the military codes AA, AE and AP.
  fc.record({ countryIsoCode: fc.constantFrom(...WITH_STATE), stateCode: text(3, 35) }),
);
const recipientV1: fc.Arbitrary<Body> = fc.tuple(names, place).map(([one, other]) => ({ ...one, ...other }));
const recipientV2: fc.Arbitrary<Body> = fc
  .tuple(recipientV1, fc.record({ companyName: text(0, 60) }, { requiredKeys: [] }))
  .map(([one, other]) => ({ ...one, ...other }));

const quantity = fc.oneof(fc.integer({ min: 1, max: 50 }), fc.constantFrom(1, 10_000));
const productUid = fc.constantFrom(POSTER, MUG, PHOTO_BOOK, PHONE_CASE);
const integer = fc.oneof(fc.nat(), fc.constantFrom(0, -1, Number.MAX_SAFE_INTEGER));

/** `POST /v1/quote`. */
export const quoteV1Request: fc.Arbitrary<Body> = fc.record({
  order: fc.record({ customerReferenceId: integer, orderReferenceId: integer, currencyIsoCode }),
  recipient: recipientV1,
  product: fc.record({ itemReferenceId: integer, productUid, pdfUrl: url, quantity }),
});

const option = fc.record({ type: fc.constant('envelope'), productUid: fc.constant(ENVELOPE), quantity });
const product = fc.record(
  { itemReferenceId: reference, productUid, pdfUrl: url, quantity, options: fc.array(option, { maxLength: 2 }) },
  { requiredKeys: ['itemReferenceId', 'productUid', 'pdfUrl', 'quantity'] },
);

/** Bodies of `POST /v2/quote`. */
export const quoteV2Request: fc.Arbitrary<Body> = fc.record({
  order: fc.record({ customerReferenceId: reference, orderReferenceId: reference, currencyIsoCode }),
  recipient: recipientV2,
  products: fc.uniqueArray(product, { minLength: 1, maxLength: 5, selector: ({ itemReferenceId }) => itemReferenceId }),
});
