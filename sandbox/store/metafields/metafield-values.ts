import { z } from 'zod';
import { UserError } from '../graphql/run-mutation.ts';

const MAX_LENGTH = 65_536;
const MAX_JSON_BYTES = 128 * 1024;
const MAX_ITEMS = 128;

const day = z.iso.date();
const moment = z.iso.datetime({ local: true, offset: true });

/** The check for the values of each type, and the message for an invalid value. */
const checks: Readonly<Record<string, readonly [holds: (value: string) => boolean, message: string]>> = {
  single_line_text_field: [(value) => !/[\r\n]/.test(value), 'Value must be a single line text string.'],
  multi_line_text_field: [() => true, ''],
  number_integer: [
    (value) => /^-?\d+$/.test(value) && Number.isSafeInteger(Number(value)),
    'Value must be an integer.',
  ],
  number_decimal: [(value) => /^-?\d{1,13}(\.\d{1,9})?$/.test(value), 'Value must be a decimal.'],
  boolean: [(value) => value === 'true' || value === 'false', 'Value must be true or false.'],
  date: [(value) => day.safeParse(value).success, 'Value must be in “YYYY-MM-DD” format.'],
  date_time: [
    (value) => moment.safeParse(value).success,
    'Value must be in “YYYY-MM-DDTHH:MM:SS” format, with or without an offset.',
  ],
  url: [(value) => /^(https?|mailto|sms|tel):/i.test(value) && URL.canParse(value), 'Value must be a URL.'],
  json: [isJson, 'Value is invalid JSON.'],
};

/** The types whose values the stand-in does not check, such as references and measurements. */
const unchecked =
  /^(list\.)?(\w+_reference|color|dimension|id|language|link|money|rating|rich_text_field|volume|weight)$/;

/** Returns whether a metafield type exists. */
export function isMetafieldType(type: string): boolean {
  return unchecked.test(type) || type.replace(/^list\./, '') in checks;
}

/** Throws a user error for an unknown type, or for a value that is invalid for its type (shopify.dev, metafield data types). */
export function assertMetafieldValue(type: string, value: string, field: readonly string[]): void {
  if (value === '') throw new UserError([...field, 'value'], "Value can't be blank.", 'BLANK');
  if (unchecked.test(type)) return;
  const item = checks[type.replace(/^list\./, '')];
  if (!item) throw new UserError([...field, 'type'], `Type ${type} is not a valid metafield type.`, 'INCLUSION');
  if (type === 'json' ? Buffer.byteLength(value) > MAX_JSON_BYTES : value.length > MAX_LENGTH) {
    throw new UserError([...field, 'value'], 'Value is too long.', 'TOO_LONG');
  }
  const [holds, message] = item;
  const values = type.startsWith('list.') ? toList(value, field) : [value];
  if (!values.every(holds)) throw new UserError([...field, 'value'], message, 'INVALID_VALUE');
}

/**
 * Returns the items of a list value, which is a JSON array. Numbers and booleans in the array can be JSON numbers and booleans instead of
 * strings.
 */
function toList(value: string, field: readonly string[]): string[] {
  const items = z
    .array(z.union([z.string(), z.number(), z.boolean()]))
    .safeParse(isJson(value) ? JSON.parse(value) : null);
  if (!items.success) throw new UserError([...field, 'value'], 'Value must be an array.', 'INVALID_VALUE');
  if (items.data.length > MAX_ITEMS) {
    throw new UserError([...field, 'value'], `Value has more than ${MAX_ITEMS} items.`, 'INVALID_VALUE');
  }
  return items.data.map(String);
}

function isJson(value: string): boolean {
  try {
    JSON.parse(value);
    return true;
  } catch {
    return false;
  }
}
