import type { PrintServiceError } from '../../print/errors.ts';
import type { HoldReason } from '../record/hold-print-order.ts';
import { truncateText } from '../../truncate-text.ts';

/** Plain-language names for the print interface's fields. */
const FIELD_WORDS = new Map([
  ['productUid', 'product'],
  ['shipmentMethodUid', 'shipping method'],
  ['fileUrl', 'print file'],
  ['files', 'print files'],
  ['url', 'file address'],
  ['postCode', 'postal code'],
  ['orderReferenceId', 'order reference'],
  ['itemReferenceId', 'item reference'],
  ['addressLine1', 'address line 1'],
  ['addressLine2', 'address line 2'],
]);
const MAX_WORDS = 1000;

/** Describes a refusal for a hold with the print interface's field, a sentence and the service's own message. */
export function describeRefusal(error: PrintServiceError): Pick<HoldReason, 'field' | 'message' | 'words' | 'data'> {
  const { status } = error;
  const message =
    status === null
      ? 'The print service would refuse this order.'
      : `The print service refused the order with status ${status}.`;
  return { field: toFieldName(error.field), message, words: formatServiceMessage(error), data: { status } };
}

/** Explains to the merchant in one sentence why a step failed. `doing` is the step's action, such as "confirm the draft". */
export function describeFailure(error: PrintServiceError, doing: string): string {
  const { status, problem } = error;
  if (problem === 'too_many_requests')
    return `The print service asked Platen to wait, so Platen could not ${doing} yet.`;
  const field = error.unreadField;
  if (field !== null)
    return `The print service sends a value that Platen cannot read (${field}), so Platen could not ${doing}.`;
  if (status !== null) return `The print service responded with status ${status}, so Platen could not ${doing}.`;
  return `The print service did not respond, so Platen could not ${doing}.`;
}

/** Quotes the service's message and details, with plain-language field names. Returns null if there is no message. */
export function formatServiceMessage({ serviceMessage, details }: PrintServiceError): string | null {
  const complaints = details.map(({ message, field }) => {
    const name = field === null ? '' : toFieldWords(field);
    return name === '' ? message : `${name}: ${message}`;
  });
  // The message often repeats a detail and uses the field's technical name.
  const isRepeated = details.some(({ message }) => serviceMessage?.includes(message));
  const said = [...(serviceMessage === null || isRepeated ? [] : [serviceMessage]), ...complaints];
  return said.length === 0 ? null : truncateText(said.join(' / '), MAX_WORDS);
}

/** Converts `items[1].fileUrl` to "Print file of item 2", and `shippingAddress.postCode` to "Postal code". */
function toFieldWords(path: string): string {
  const parts = path.split('.');
  const last = parts.at(-1)?.replace(/\[\d+\]$/, '') ?? '';
  const words = FIELD_WORDS.get(last) ?? last.replace(/(?<=[a-z\d])(?=[A-Z])/g, ' ').toLowerCase();
  const index = /^(?:items|products)\[(\d+)\]/.exec(path)?.[1];
  const name = index === undefined || words === 'items' ? words : `${words} of item ${Number(index) + 1}`;
  return name.slice(0, 1).toUpperCase() + name.slice(1);
}

/** Returns the field name at the end of a path such as `items[0].quantity` or `recipient.postCode`. */
export function toFieldName(path: string | null): string | null {
  const last = path
    ?.split('.')
    .at(-1)
    ?.replace(/\[\d+\]$/, '');
  return last === undefined || last === '' ? null : last;
}
