import { createHash } from 'node:crypto';
import type { PrintOrderLine } from '../../database/entities/print-orders.ts';
import type { Settings } from '../../shops/settings/settings.ts';
import type { ServiceAddress } from '../address/fit-address.ts';
import type { StoreReading } from './store-reading.ts';

type Line = Pick<
  PrintOrderLine,
  'shopifyLineItemId' | 'productUid' | 'fileUrl' | 'pageCount' | 'quantity' | 'envelopeProductUid' | 'envelopeQuantity'
>;

/** What the body of a print order is made of beside its lines and its address. */
type PlanTerms = Pick<Settings, 'currency' | 'returnAddress'>;

/** What the buyer chose for shipping, by which the method is chosen. */
type ShippingLine = StoreReading['shippingLines'][number];

/**
 * What a print order stands for, whatever the order of its lines; any other content needs another reference, so that a setting that
 * is changed before anything is sent is not lost. Not in it: the customer's number, which a permission that lapses would change.
 */
export function hashPlan(
  items: readonly Line[],
  address: ServiceAddress,
  terms: PlanTerms,
  shippingLines: readonly ShippingLine[] = [],
): string {
  const lines = items
    .map(({ shopifyLineItemId, productUid, fileUrl, pageCount, quantity, envelopeProductUid, envelopeQuantity }) => {
      // Left out where there are none, so that lines of before envelopes keep their hash.
      const envelopes = envelopeProductUid === null ? [] : [envelopeProductUid, envelopeQuantity];
      return JSON.stringify([shopifyLineItemId, productUid, fileUrl, pageCount, quantity, ...envelopes]);
    })
    .toSorted();
  const { currency, returnAddress } = terms;
  const chosen = shippingLines.map(({ title, code }) => JSON.stringify([title, code])).toSorted();
  return createHash('sha256')
    .update(JSON.stringify([lines, address, currency, returnAddress && sorted(returnAddress), chosen]))
    .digest('hex');
}

/** The database does not keep the order of a setting's fields. */
function sorted(fields: object): [string, unknown][] {
  return Object.entries(fields).toSorted(([a], [b]) => (a < b ? -1 : 1));
}
