import fc from 'fast-check';
import { over, type Body } from './request-arbitraries.ts';

/** One rule of the documented interface, and a change that breaks only this rule. */
export interface BrokenLimit {
  /** The field that a refusal names. */
  field: string;
  rule: string;
  /** The new values by path. A value of undefined removes the field. */
  change: fc.Arbitrary<Record<string, unknown>>;
}

/** Returns a broken limit of a field, independent of other fields. */
export function breaks(field: string, rule: string, values: fc.Arbitrary<unknown>): BrokenLimit {
  return { field, rule, change: values.map((value) => ({ [field]: value })) };
}

/** Returns a broken rule that involves several fields, with a value for each field. */
export function breaksTogether(field: string, rule: string, change: Record<string, unknown>): BrokenLimit {
  return { field, rule, change: fc.constant(change) };
}

/** Values that are not nonempty strings. */
export const noText = fc.constantFrom<unknown>(undefined, '', null, 7, true, ['a'], { a: 1 });
/** Values that are not whole numbers of at least one. */
export const noCount = fc.constantFrom<unknown>(undefined, 0, -1, 1.5, '1', null, [1]);

/** Returns the request with these changes, addressed by paths such as `items[0].quantity`. */
export function change(body: Body, values: Record<string, unknown>): Body {
  const changed = structuredClone(body);
  for (const [path, value] of Object.entries(values)) {
    const steps = path.split(/[.[\]]+/).filter(Boolean);
    const last = steps.pop() ?? '';
    const holder = steps.reduce<object>((inner, step) => Reflect.get(inner, step) as object, changed);
    if (value === undefined) Reflect.deleteProperty(holder, last);
    else Reflect.set(holder, last, value);
  }
  return changed;
}

const noEmail = fc.constantFrom<unknown>(undefined, '', 'a', 'a@', '@b', 'a@b', 'a@"b', 'a@-bc', 'a\n@bc', 'a@b\nc');
const noPhone = fc.constantFrom<unknown>(
  'call me',
  '+',
  '()',
  '',
  '+49.171',
  `+${'1'.repeat(25)}`,
  '1'.repeat(100_000),
);
const noCountry = fc.constantFrom<unknown>(undefined, '', 'us', 'USA', 'U', 'U1', 'ÅÄ', 'X'.repeat(100_000));

/** Returns the limits of an address under this path. `names` contains the field names that differ between the interfaces. */
export function addressLimits(
  path: string,
  names = { country: 'country', postCode: 'postCode', state: 'state' },
): BrokenLimit[] {
  const at = (field: string) => `${path}.${field}`;
  const required = ['firstName', 'lastName', 'addressLine1', 'city', names.postCode];
  return [
    ...required.map((field) => breaks(at(field), 'is required', noText)),
    breaks(at('firstName'), 'must have at most 25 characters', over(25)),
    breaks(at('lastName'), 'must have at most 25 characters', over(25)),
    breaks(at('addressLine1'), 'must have at most 35 characters', over(35)),
    breaks(at('addressLine2'), 'must have at most 35 characters', over(35)),
    breaks(at('city'), 'must have at most 30 characters', over(30)),
    breaks(at(names.postCode), 'must have at most 15 characters', over(15)),
    breaks(at(names.state), 'must have at most 35 characters', over(35)),
    breaks(at('email'), 'must be an email address', noEmail),
    breaks(at('phone'), 'must follow E.123', noPhone),
    breaks(at(names.country), 'must be an alpha-2 code', noCountry),
  ];
}

/** Returns two address lines that are valid in any country. */
function plainLines(path: string): Record<string, unknown> {
  return { [`${path}.addressLine1`]: '1', [`${path}.addressLine2`]: undefined };
}

/** Returns the changes that remove all tax IDs. */
function noTaxIds(path: string): Record<string, unknown> {
  const fields = ['isBusiness', 'federalTaxId', 'stateTaxId', 'registrationStateCode'];
  return Object.fromEntries(fields.map((field) => [`${path}.${field}`, undefined]));
}

/** Returns the rules of the current interface that depend on the country. */
export function countryLimits(path: string): BrokenLimit[] {
  const at = (field: string) => `${path}.${field}`;
  const plain = { ...plainLines(path), ...noTaxIds(path), [at('state')]: 'X' };
  const withState = ['AU', 'CA', 'US'].map((country) => {
    const address = { ...plain, [at('country')]: country, [at('state')]: undefined };
    return breaksTogether(at('state'), `is required in ${country}`, address);
  });
  const withScript = ['CN', 'JP', 'KR', 'RU'].flatMap((country) =>
    ['addressLine1', 'addressLine2'].map((line) => {
      const address = { ...plain, [at('country')]: country, [at(line)]: `abcdefghijk 1` };
      return breaksTogether(at(line), `must have at most 10 Latin letters in ${country}`, address);
    }),
  );
  return [...withState, ...withScript];
}

/** Returns the rules for tax IDs, which differ between Brazil and other countries. */
export function taxLimits(path: string): BrokenLimit[] {
  const at = (field: string) => `${path}.${field}`;
  const brazil = { ...plainLines(path), ...noTaxIds(path), [at('country')]: 'BR' };
  const norway = { ...brazil, [at('country')]: 'NO' };
  const business = {
    ...brazil,
    [at('isBusiness')]: true,
    [at('federalTaxId')]: '12.345.678/0001-95',
    [at('stateTaxId')]: '110.042.490.114',
    [at('registrationStateCode')]: 'SP',
  };
  return [
    breaksTogether(at('federalTaxId'), 'is required in Brazil', brazil),
    breaksTogether(at('federalTaxId'), 'must be a CPF for a person', { ...brazil, [at('federalTaxId')]: '123' }),
    breaksTogether(at('isBusiness'), 'must be true with a CNPJ', {
      ...brazil,
      [at('federalTaxId')]: '12.345.678/0001-95',
    }),
    breaksTogether(at('federalTaxId'), 'must be a CNPJ for a business', {
      ...business,
      [at('federalTaxId')]: '52998224725',
    }),
    breaksTogether(at('stateTaxId'), 'is required for a business in Brazil', {
      ...business,
      [at('stateTaxId')]: undefined,
    }),
    breaksTogether(at('registrationStateCode'), 'is required for a business in Brazil', {
      ...business,
      [at('registrationStateCode')]: undefined,
    }),
    breaksTogether(at('stateTaxId'), 'is allowed only for a business', { ...norway, [at('stateTaxId')]: '1' }),
    breaksTogether(at('registrationStateCode'), 'is allowed only for a business', {
      ...norway,
      [at('registrationStateCode')]: 'X',
    }),
  ];
}
