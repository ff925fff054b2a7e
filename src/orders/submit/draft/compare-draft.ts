import { createHash } from 'node:crypto';
import type { PrintOrderLine } from '../../../database/entities/print-orders.ts';
import { nameField } from '../../address/name-field.ts';
import type { PrintOrderBody, PortAddress, PortOrder } from '../../../print/port.ts';

/** The differences between a draft and the body that was sent, described without personal data. */
export interface DraftEdit {
  /** The differing fields, as named in the print interface. */
  fields: string[];
  /** A sentence for each difference. */
  sentences: string[];
  /** Identifies the edit. A different edit of the draft has a different hash. */
  sha256: string;
}

type Part = Pick<PortOrder, 'items' | 'currency' | 'shippingAddress' | 'shipment'>;
type Line = Pick<PrintOrderLine, 'itemReferenceId' | 'sku'>;

interface Difference {
  field: string;
  sentence: string;
  /** The draft's value, used only in the hash. */
  found: unknown;
}

/**
 * Compares a draft and its connected parts with the body of its reference. Returns null if nothing was edited. Values that the service does
 * not report are not differences. Differences in case, spaces or accents do not count, nor does a state's name in place of its code.
 */
export function compareDraft(
  body: Pick<PrintOrderBody, 'items' | 'currency' | 'shippingAddress' | 'shipmentMethodUid'>,
  parts: readonly Part[],
  lines: readonly Line[],
): DraftEdit | null {
  const differences = [
    ...compareItems(body, parts, lines),
    ...compareAddress(body, parts),
    ...compareMethod(body, parts),
    ...compareCurrency(body, parts),
  ];
  if (differences.length === 0) return null;
  return {
    fields: [...new Set(differences.map(({ field }) => field))],
    sentences: differences.map(({ sentence }) => sentence),
    sha256: createHash('sha256')
      .update(JSON.stringify(differences.map(({ field, found }) => [field, found])))
      .digest('hex'),
  };
}

/** Counts each item's units across all parts of a draft. Items without a quantity are omitted. */
export function unitsOf(parts: readonly Pick<PortOrder, 'items'>[]): Map<string, number> {
  const units = new Map<string, number>();
  for (const { itemReferenceId, quantity } of parts.flatMap(({ items }) => items))
    if (quantity !== null) units.set(itemReferenceId, (units.get(itemReferenceId) ?? 0) + quantity);
  return units;
}

function compareItems(
  { items }: Pick<PrintOrderBody, 'items'>,
  parts: readonly Part[],
  lines: readonly Line[],
): Difference[] {
  const shown = parts.flatMap((part) => part.items);
  const units = unitsOf(parts);
  const sent = new Set(items.map(({ itemReferenceId }) => itemReferenceId));
  const differences = items.flatMap(({ itemReferenceId, productUid, quantity }): Difference[] => {
    const name = nameOf(itemReferenceId, lines);
    const same = shown.filter((item) => item.itemReferenceId === itemReferenceId);
    if (same.length === 0) {
      const sentence = `${name}: ${quantity} ${quantity === 1 ? 'was' : 'were'} sent, but the draft has none.`;
      return [{ field: 'items', sentence, found: [itemReferenceId, 0] }];
    }
    const other = same.find(
      (item) => item.productUid !== null && normalizeText(item.productUid) !== normalizeText(productUid),
    );
    const isOther: Difference[] = other
      ? [
          {
            field: 'productUid',
            sentence: `${name}: the draft has a different product.`,
            found: [itemReferenceId, other.productUid],
          },
        ]
      : [];
    const found = same.some((item) => item.quantity === null) ? quantity : units.get(itemReferenceId);
    if (found === quantity) return isOther;
    const sentence = `${name}: ${quantity} ${quantity === 1 ? 'was' : 'were'} sent, but the draft has ${found}.`;
    return [...isOther, { field: 'quantity', sentence, found: [itemReferenceId, found] }];
  });
  const added = [...new Set(shown.map(({ itemReferenceId }) => itemReferenceId))].filter((id) => !sent.has(id));
  if (added.length === 0) return differences;
  const sentence = `${added.length} ${added.length === 1 ? 'item was' : 'items were'} added to the draft.`;
  return [...differences, { field: 'items', sentence, found: added.map((id) => [id, units.get(id) ?? null]) }];
}

function nameOf(itemReferenceId: string, lines: readonly Line[]): string {
  const sku = lines.find((line) => line.itemReferenceId === itemReferenceId)?.sku;
  return sku ? `SKU ${sku}` : 'A line without a SKU';
}

/** Phone numbers are not compared, because the print service may show them in another format. */
const ADDRESS_FIELDS = [
  'firstName',
  'lastName',
  'companyName',
  'addressLine1',
  'addressLine2',
  'city',
  'postCode',
  'state',
  'country',
  'email',
] as const satisfies (keyof PortAddress)[];

function compareAddress({ shippingAddress }: Pick<PrintOrderBody, 'shippingAddress'>, parts: readonly Part[]) {
  const found = parts.flatMap((part) => (part.shippingAddress === null ? [] : [part.shippingAddress]));
  const fields = ADDRESS_FIELDS.filter((field) =>
    found.some((address) => isAnother(field, shippingAddress[field] ?? '', address[field])),
  );
  if (fields.length === 0) return [];
  const values = found.map((address) => fields.map((field) => normalizeText(address[field] ?? '')));
  return [
    {
      field: 'shippingAddress',
      sentence: `The draft's shipping address differs in these fields: ${fields.map(nameField).join(', ')}.`,
      found: values,
    },
  ];
}

/** Returns the fields of an address at the service that differ from the address that would be sent, with their values at the service. */
export function findOtherFields(
  sent: Partial<Record<(typeof ADDRESS_FIELDS)[number], string>>,
  shown: PortOrder['shippingAddress'],
): Partial<Record<(typeof ADDRESS_FIELDS)[number], string>> {
  if (shown === null) return {};
  const others = ADDRESS_FIELDS.filter((field) => isAnother(field, sent[field] ?? '', shown[field]));
  return Object.fromEntries(others.map((field) => [field, shown[field] ?? '']));
}

function isAnother(field: string, sent: string, shown: string | null): boolean {
  if (shown === null || normalizeText(shown) === '' || normalizeText(shown) === normalizeText(sent)) return false;
  // A state's code cannot be compared with a state's name, so only two codes or two names count as different.
  if (field === 'state') return sent !== '' && normalizeText(sent).length <= 3 === normalizeText(shown).length <= 3;
  return true;
}

function compareMethod(
  { shipmentMethodUid: sent }: Pick<PrintOrderBody, 'shipmentMethodUid'>,
  parts: readonly Part[],
): Difference[] {
  const [part, ...others] = parts;
  const shown = part?.shipment?.shipmentMethodUid ?? null;
  // Parts of a split order each have their own method. Without `_`, the sent value is a class of methods such as `normal`, which cannot be
  // compared with a single method.
  if (others.length > 0 || shown === null || shown === '' || sent === undefined || !sent.includes('_')) return [];
  if (sent.split(',').some((uid) => normalizeText(uid) === normalizeText(shown))) return [];
  return [{ field: 'shipmentMethodUid', sentence: 'The draft has a different shipping method.', found: shown }];
}

function compareCurrency({ currency }: Pick<PrintOrderBody, 'currency'>, parts: readonly Part[]): Difference[] {
  const other = parts.find(
    (part) => part.currency !== null && normalizeText(part.currency) !== normalizeText(currency),
  );
  if (!other?.currency) return [];
  return [{ field: 'currency', sentence: `The draft is in a different currency.`, found: other.currency }];
}

/** Lowercases a text and removes its accents, spaces and punctuation. */
function normalizeText(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}
