import { createHash } from 'node:crypto';
import type { PrintOrder, PrintOrderLine } from '../../../database/entities/print-orders.ts';
import { countOnTheWay } from './count-to-print.ts';
import type { ServiceAddress } from '../../address/fit-address.ts';
import { fulfilledOf, LEFT_STATUSES, locationOf } from '../../facts/store-quantities.ts';
import type { StoreReading } from '../../facts/store-reading.ts';

/** A print order of which something may be printed already. */
export interface SentPrint {
  id: string;
  lines: Pick<PrintOrderLine, 'shopifyLineItemId' | 'sku' | 'quantity' | 'fulfilledBefore'>[];
  /** Where it goes; null: not known any more, or not to be compared. */
  address: ServiceAddress | null;
}

/** The order as the store has it now. */
export interface OrderNow {
  order: StoreReading;
  /** The address as it would be sent now; null: it cannot be, or is not to be compared. */
  address: ServiceAddress | null;
  /** What keeps the address from being sent, a field or `shippingAddress`; null: nothing. */
  unfit: string | null;
  locationId: string | null;
  printsAtMerchantLocations: boolean;
}

/** How an order differs from what was sent of it. */
export interface Change {
  /** Another difference has another one; nothing of an address can be read from it. */
  sha256: string;
  /** In words for the merchant, without personal data. */
  message: string;
  /** Units that are printed and not wanted any more, or whose fulfilment is elsewhere now; names of address fields. */
  lines: { sku: string | null; printing: number; ordered: number }[];
  moved: { sku: string | null; units: number }[];
  fields: string[];
}

const SENT_STATES = new Set<PrintOrder['state']>([
  'quoted',
  'submitting',
  'uncertain',
  'submitted',
  'in_production',
  'shipped',
  'shipped_no_tracking',
  'held',
]);

/** Whether a print order is on its way to the buyer, or may be: what the order becomes now changes nothing of it. */
export function isSent(printOrder: PrintOrder): boolean {
  const { closedAt, cancelRequestedAt, state } = printOrder;
  return isCounted(printOrder) && closedAt === null && cancelRequestedAt === null && SENT_STATES.has(state);
}

/** Whether the units of a print order count as printed: it was sent, and nobody wants them printed again. */
export function isCounted({ confirmStartedAt, confirmedAt, fencedAt, printAgainAt }: PrintOrder): boolean {
  return (confirmStartedAt ?? confirmedAt) !== null && fencedAt === null && printAgainAt === null;
}

/**
 * What of a print order sent is not what the order says now: units taken out of it, units whose fulfilment was moved away, another
 * address; null when nothing is. More units than were sent are no difference, they are printed beside; nor are units that were fulfilled
 * or came back. Pure. `counted`: everything that counts as printed, this one too, oldest first.
 */
export function findChange(now: OrderNow, print: SentPrint, counted: readonly SentPrint[]): Change | null {
  const units = findUnits(now, counted).filter(({ printOrderId }) => printOrderId === print.id);
  // All of it is fulfilled: it has arrived, or is about to.
  if (units.every(({ printing }) => printing === 0)) return null;
  const lines = units.filter(({ gone }) => gone > 0).map(({ sku, printing, ordered }) => ({ sku, printing, ordered }));
  const moved = units.filter((one) => one.moved > 0).map(({ sku, moved: away }) => ({ sku, units: away }));
  const fields = findFields(now, print);
  if (lines.length + moved.length + fields.length === 0) return null;
  const address = fields.map((field) => now.address?.[field as Field] ?? null);
  const sha256 = createHash('sha256')
    .update(JSON.stringify([print.id, lines, moved, fields, address]))
    .digest('hex');
  return { sha256, message: describe({ lines, moved, fields }), lines, moved, fields };
}

interface Units {
  printOrderId: string;
  sku: string | null;
  /** Units of the print order that are not fulfilled yet. */
  printing: number;
  /** Units of them that the order still wants. */
  ordered: number;
  gone: number;
  moved: number;
}

/** What is too much of each line is taken from the newest print orders. */
function findUnits({ order, ...place }: Omit<OrderNow, 'address' | 'unfit'>, counted: readonly SentPrint[]): Units[] {
  const ids = new Set(counted.flatMap(({ lines }) => lines.map(({ shopifyLineItemId }) => shopifyLineItemId)));
  return [...ids].flatMap((id) => {
    const prints = counted.flatMap((print) =>
      print.lines.filter((line) => line.shopifyLineItemId === id).map((line) => ({ ...line, printOrderId: print.id })),
    );
    const onTheWay = countOnTheWay(fulfilledOf(order, id), prints);
    const all = onTheWay.reduce((sum, units) => sum + units, 0);
    const wanted = order.lineItems.find((line) => line.id === id)?.unfulfilledQuantity ?? 0;
    let gone = Math.max(0, all - wanted);
    let moved = Math.max(0, Math.min(all - gone - leftOf(order, id, place, true), leftOf(order, id, place, false)));
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

/** Units left to fulfil of a line: where we print for (`here`), or where somebody else fulfils. */
export function leftOf(
  order: StoreReading,
  lineItemId: string,
  { locationId, printsAtMerchantLocations }: Pick<OrderNow, 'locationId' | 'printsAtMerchantLocations'>,
  here: boolean,
): number {
  return order.fulfillmentOrders
    .filter(({ status }) => LEFT_STATUSES.has(status))
    .filter((one) => {
      const location = locationOf(one, locationId);
      return here === (location === 'ours' || (location === 'merchant' && printsAtMerchantLocations));
    })
    .flatMap(({ lineItems }) => lineItems)
    .filter(({ lineItem }) => lineItem.id === lineItemId)
    .reduce((sum, { remainingQuantity }) => sum + remainingQuantity, 0);
}

/** Where a parcel goes and to whom; its e-mail may be the shop's own, and a phone number does not lead it elsewhere. */
const FIELDS = {
  firstName: 'first name',
  lastName: 'last name',
  companyName: 'company',
  addressLine1: 'address line 1',
  addressLine2: 'address line 2',
  postCode: 'post code',
  city: 'city',
  state: 'state',
  country: 'country',
} as const satisfies Partial<Record<keyof ServiceAddress, string>>;
type Field = keyof typeof FIELDS;

function findFields({ address: now, unfit }: OrderNow, { address: sent }: SentPrint): string[] {
  if (sent === null) return [];
  if (now === null) return unfit !== null && (unfit in FIELDS || unfit === 'shippingAddress') ? [unfit] : [];
  return (Object.keys(FIELDS) as Field[]).filter((field) => plain(now[field]) !== plain(sent[field]));
}

/** Letters and digits alone: what is written otherwise leads a parcel to the same place. */
function plain(text: string | undefined): string {
  return (text ?? '')
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}

function describe({ lines, moved, fields }: Pick<Change, 'lines' | 'moved' | 'fields'>): string {
  const ofLines = lines.map(({ sku, printing, ordered }) => {
    const gone = printing - ordered;
    const all = printing === 1 ? 'the unit' : `the ${printing} units`;
    const units = gone === printing ? all : `${gone} of ${all}`;
    return `${nameOf(sku)}: ${units} in this print order ${gone === 1 ? 'is' : 'are'} no longer wanted.`;
  });
  const ofMoves = moved.map(({ sku, units }) => {
    const are = units === 1 ? 'is being printed, and its' : 'are being printed, and their';
    return `${nameOf(sku)}: ${units} ${are} fulfilment was moved in the store to where Platen does not fulfil.`;
  });
  const names = fields.map((field) => (field in FIELDS ? FIELDS[field as Field] : 'all of it')).join(', ');
  const ofAddress = `The shipping address was changed (${names}) after the order was sent to print; the parcel goes to the old one.`;
  return [...ofLines, ...ofMoves, ...(fields.length > 0 ? [ofAddress] : [])].join(' ');
}

function nameOf(sku: string | null): string {
  return sku === null ? 'A line without SKU' : `SKU ${sku}`;
}
