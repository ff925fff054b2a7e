import { createHash } from 'node:crypto';
import type { PrintOrderLine } from '../../../database/entities/print-orders.ts';
import { countUnfulfilledUnits } from './count-to-print.ts';
import type { ServiceAddress } from '../../address/fit-address.ts';
import {
  countFulfilled,
  isAtPrintLocation,
  UNFULFILLED_STATUSES,
  type OwnPlaces,
} from '../../facts/store-quantities.ts';
import { limitSentences } from '../../facts/limit-sentences.ts';
import type { StoreReading } from '../../facts/store-reading.ts';

/** A print order that may have started printing. */
export interface SentPrint {
  id: string;
  lines: Pick<PrintOrderLine, 'shopifyLineItemId' | 'sku' | 'quantity' | 'fulfilledBefore'>[];
  /** The address that the print order ships to. Null if unknown or not compared. */
  address: ServiceAddress | null;
}

/** The order as it is in the store now. */
export interface CurrentOrder extends OwnPlaces {
  order: StoreReading;
  /** The address that would be sent now. Null if it cannot be sent or is not compared. */
  address: ServiceAddress | null;
  /** The field that prevents the address from being sent, or `shippingAddress` for the whole address. Null if the address can be sent. */
  unfit: string | null;
}

/** The difference between an order and the print order that was sent for it. */
export interface Change {
  /** Identifies the difference without revealing any part of an address. */
  sha256: string;
  /** Shown to the merchant, so it contains no personal data. */
  message: string;
  /** Lines with units being printed that are no longer wanted. */
  lines: { sku: string | null; printing: number; ordered: number }[];
  /** Lines with units that are being printed, but whose fulfillment was moved. */
  moved: { sku: string | null; units: number }[];
  /** Changed address fields. */
  fields: string[];
}

/**
 * Finds how the order now differs from a print order that was sent: removed units, units whose fulfillment was moved, or a different
 * address. Returns null if nothing differs. Added units do not count, because they are printed separately. Fulfilled and returned units do
 * not count either. Pure. `counted` contains all print orders that count as printed, including `print`, oldest first.
 */
export function findChange(now: CurrentOrder, print: SentPrint, counted: readonly SentPrint[]): Change | null {
  const units = attributeUnits(now, counted).filter(({ printOrderId }) => printOrderId === print.id);
  // All units are fulfilled, so the parcel has arrived or will arrive soon.
  if (units.every(({ printing }) => printing === 0)) return null;
  const lines = units.filter(({ gone }) => gone > 0).map(({ sku, printing, ordered }) => ({ sku, printing, ordered }));
  const moved = units.filter((one) => one.moved > 0).map(({ sku, moved: away }) => ({ sku, units: away }));
  const fields = findChangedFields(now, print);
  if (lines.length + moved.length + fields.length === 0) return null;
  const address = fields.map((field) => now.address?.[field as Field] ?? null);
  const sha256 = createHash('sha256')
    .update(JSON.stringify([print.id, lines, moved, fields, address]))
    .digest('hex');
  return { sha256, message: describeChange({ lines, moved, fields }), lines, moved, fields };
}

interface Units {
  printOrderId: string;
  sku: string | null;
  /** Units of the print order that are not fulfilled yet. */
  printing: number;
  /** Units of `printing` that are still wanted. */
  ordered: number;
  gone: number;
  moved: number;
}

/** Attributes a line's removed and moved units to the newest print orders first. */
function attributeUnits(
  { order, ...place }: Omit<CurrentOrder, 'address' | 'unfit'>,
  counted: readonly SentPrint[],
): Units[] {
  const ids = new Set(counted.flatMap(({ lines }) => lines.map(({ shopifyLineItemId }) => shopifyLineItemId)));
  return [...ids].flatMap((id) => {
    const prints = counted.flatMap((print) =>
      print.lines.filter((line) => line.shopifyLineItemId === id).map((line) => ({ ...line, printOrderId: print.id })),
    );
    const onTheWay = countUnfulfilledUnits(countFulfilled(order, id), prints);
    const all = onTheWay.reduce((sum, units) => sum + units, 0);
    const wanted = order.lineItems.find((line) => line.id === id)?.unfulfilledQuantity ?? 0;
    let gone = Math.max(0, all - wanted);
    let moved = Math.max(
      0,
      Math.min(all - gone - countLeftOf(order, id, place, true), countLeftOf(order, id, place, false)),
    );
    return prints
      .map(({ printOrderId, sku }, index) => ({ printOrderId, sku, printing: onTheWay[index] ?? 0 }))
      .toReversed()
      .map((print) => {
        const ofPrint = { gone: Math.min(gone, print.printing), moved: 0 };
        gone -= ofPrint.gone;
        ofPrint.moved = Math.min(moved, print.printing - ofPrint.gone);
        moved -= ofPrint.moved;
        return { ...print, ...ofPrint, ordered: print.printing - ofPrint.gone };
      });
  });
}

/** Returns a line's units left to fulfill at locations where Platen prints (`here`), or at all other locations. */
export function countLeftOf(order: StoreReading, lineItemId: string, places: OwnPlaces, here: boolean): number {
  return order.fulfillmentOrders
    .filter(({ status }) => UNFULFILLED_STATUSES.has(status))
    .filter((one) => here === isAtPrintLocation(one, places))
    .flatMap(({ lineItems }) => lineItems)
    .filter(({ lineItem }) => lineItem.id === lineItemId)
    .reduce((sum, { remainingQuantity }) => sum + remainingQuantity, 0);
}

/** Fields that determine a parcel's destination. The phone number and email do not change it, and the email may be the shop's own. */
const FIELDS = {
  firstName: 'first name',
  lastName: 'last name',
  companyName: 'company',
  addressLine1: 'address line 1',
  addressLine2: 'address line 2',
  postCode: 'postal code',
  city: 'city',
  state: 'state',
  country: 'country',
} as const satisfies Partial<Record<keyof ServiceAddress, string>>;
type Field = keyof typeof FIELDS;

function findChangedFields({ address: now, unfit }: CurrentOrder, { address: sent }: SentPrint): string[] {
  if (sent === null) return [];
  if (now === null) return unfit !== null && (unfit in FIELDS || unfit === 'shippingAddress') ? [unfit] : [];
  return (Object.keys(FIELDS) as Field[]).filter((field) => normalizeText(now[field]) !== normalizeText(sent[field]));
}

/** Keeps only letters and digits, because differences in case, spaces and punctuation do not change the destination. */
function normalizeText(text: string | undefined): string {
  return (text ?? '')
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}

function describeChange({ lines, moved, fields }: Pick<Change, 'lines' | 'moved' | 'fields'>): string {
  const ofLines = lines.map(({ sku, printing, ordered }) => {
    const gone = printing - ordered;
    const all = printing === 1 ? 'the unit' : `the ${printing} units`;
    const units = gone === printing ? all : `${gone} of ${all}`;
    return `${nameOf(sku)}: ${units} in this print order ${gone === 1 ? 'is' : 'are'} no longer wanted.`;
  });
  const ofMoves = moved.map(({ sku, units }) => {
    const are = units === 1 ? 'unit is being printed, but its' : 'units are being printed, but their';
    return `${nameOf(sku)}: ${units} ${are} fulfillment was moved in the store to a location where Platen does not print.`;
  });
  const names = fields.map((field) => (field in FIELDS ? FIELDS[field as Field] : 'all of it')).join(', ');
  const ofAddress = `The shipping address was changed (${names}) after the order was sent to print. The parcel will go to the old address.`;
  return [...limitSentences([...ofLines, ...ofMoves]), ...(fields.length > 0 ? [ofAddress] : [])].join(' ');
}

function nameOf(sku: string | null): string {
  return sku === null ? 'A line without a SKU' : `SKU ${sku}`;
}
