import { z } from 'zod';
import { plainText, wholeNumber } from './setting-types.ts';

const MAX_RULES = 50;
const MAX_ENTRIES = 100;
const COUNTRY = 'must be country codes such as NO, SE (ISO 3166-1 alpha-2)';

const when = z
  .strictObject({
    /** Part of the title of the buyer's shipping line. Case is ignored. */
    title: plainText(255).optional(),
    /** The code of the buyer's shipping line. */
    code: plainText(255).optional(),
    countries: z
      .array(z.string(COUNTRY).trim().toUpperCase().refine(isCountry, COUNTRY), COUNTRY)
      .refine(hasAllowedLength, 'must have 1 to 100 countries')
      .optional(),
    skus: stringListSchema('SKUs').optional(),
    productUids: stringListSchema('product UIDs').optional(),
    /** Tags of the store's product. Case is ignored. */
    productTags: stringListSchema('tags').optional(),
    /** Whether at least one printed line (default) or every printed line must match `skus`, `productUids` and `productTags`. */
    lines: z.enum(['any', 'every'], 'must be any or every').optional(),
  })
  .refine(
    (one) => one.lines === undefined || one.skus || one.productUids || one.productTags,
    'must have SKUs, print products or tags if it specifies how many items must have them',
  );

const choose = z
  .strictObject({
    methodUids: stringListSchema('UIDs of shipment methods').optional(),
    types: stringListSchema('types such as "normal" or "express"').optional(),
    /** The latest delivery date must be at most this many days after the date of the quote. */
    days: wholeNumber(0, 365).optional(),
    /** The latest delivery date must be this day or earlier. */
    date: z.iso.date('must be a date such as 2026-12-24').optional(),
    incoTerms: stringListSchema('terms such as "DDP"').optional(),
    mostParcels: wholeNumber(1, 1000).optional(),
    /** Which method is chosen if several meet the other conditions. The default is the cheapest. */
    by: z.enum(['cheapest', 'fastest'], 'must be cheapest or fastest').optional(),
  })
  .refine((one) => Object.values(one).some((value) => value !== undefined), 'must not be empty');

export const ruleSchema = z.strictObject({ name: plainText(60), when: when.optional(), choose });

/**
 * A rule for choosing the shipping method of some of a shop's orders. It applies if all its conditions are met. Any entry of a list meets
 * the list's condition.
 */
export type ShippingRule = z.output<typeof ruleSchema>;

const FIELDS: Readonly<Record<string, readonly string[]>> = {
  '': Object.keys(ruleSchema.shape),
  when: Object.keys(when.shape),
  choose: Object.keys(choose.shape),
};

/** The rules in order. An error names the rule, the field and its allowed values. */
export const shippingRules = z
  .array(z.unknown(), 'must be a list of rules')
  .refine((rules) => rules.length <= MAX_RULES, `must have at most ${MAX_RULES} rules`)
  .transform((given, context): ShippingRule[] => {
    const rules: ShippingRule[] = [];
    for (const [index, rule] of given.entries()) {
      const parsed = ruleSchema.safeParse(rule);
      const issue = parsed.success ? findDuplicateName(parsed.data, rules) : parsed.error.issues[0];
      if (parsed.success && !issue) rules.push(parsed.data);
      else if (issue) {
        const message = `${describeIssue(issue)} (${toRuleName(rule, index)})`;
        context.addIssue({ code: 'custom', path: [index, ...issue.path], message });
        return z.NEVER;
      }
    }
    return rules;
  });

type Issue = Pick<z.core.$ZodIssue, 'path' | 'message'> & { code?: string | undefined; keys?: string[] };

/** The timeline names the rule that chose the method, so names must be unique. */
function findDuplicateName({ name }: ShippingRule, before: readonly ShippingRule[]): Issue | undefined {
  const isTaken = before.some((other) => other.name === name);
  return isTaken ? { path: ['name'], message: 'must be unique among the rules' } : undefined;
}

function describeIssue({ code, path, message, keys }: Issue): string {
  const fields = FIELDS[path.join('.')];
  if (fields && code === 'unrecognized_keys')
    return `has no field ${keys?.join(', ') ?? ''}; its fields are ${fields.join(', ')}`;
  if (fields && code === 'invalid_type') return `must be an object with the fields ${fields.join(', ')}`;
  const isText = path.join('.') === 'name' || typeof path.at(-1) === 'number';
  return code === 'invalid_type' && isText ? 'must be text' : message;
}

function toRuleName(rule: unknown, index: number): string {
  const name = typeof rule === 'object' && rule !== null && 'name' in rule ? rule.name : null;
  return typeof name === 'string' && name.length <= 60 ? `rule '${name}'` : `rule ${index + 1}`;
}

function stringListSchema(what: string) {
  return z
    .array(plainText(255), `must be a list of ${what}`)
    .refine(hasAllowedLength, `must have 1 to ${MAX_ENTRIES} ${what}`);
}

function hasAllowedLength({ length }: readonly string[]): boolean {
  return length > 0 && length <= MAX_ENTRIES;
}

/** Codes that the standard or CLDR includes but that do not identify a country. */
const NON_COUNTRY_CODES = new Set(['EU', 'EZ', 'QO', 'UN', 'XA', 'XB', 'ZZ']);
const countryNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

/** Returns whether this is a country's official code. Addresses never use an alias such as `UK`. */
export function isCountry(code: string): boolean {
  if (!/^[A-Z]{2}$/.test(code) || NON_COUNTRY_CODES.has(code)) return false;
  return new Intl.Locale(`und-${code}`).region === code && countryNames.of(code) !== undefined;
}
