import { createHash } from 'node:crypto';
import type { PrintOrderLine } from '../../database/entities/print-orders.ts';
import type { Settings } from '../../shops/settings/settings.ts';
import type { ServiceAddress } from '../address/fit-address.ts';
import type { StoreReading } from './store-reading.ts';

type Line = Pick<
  PrintOrderLine,
  'shopifyLineItemId' | 'productUid' | 'fileUrl' | 'pageCount' | 'quantity' | 'envelopeProductUid' | 'envelopeQuantity'
>;

/** The content of a print order's body except for its lines and address. */
type PlanTerms = Pick<Settings, 'currency' | 'returnAddress'>;

/** The buyer's shipping choice, which determines the shipping method. */
type ShippingLine = StoreReading['shippingLines'][number];

/**
 * Hashes a print order's content. The sequence of the lines does not matter. A different hash leads to a new reference, so a setting that
 * changes before the print order is sent still takes effect. The hash excludes the customer reference, because that reference changes if a
 * permission is revoked.
 */
export function hashPlan(
  items: readonly Line[],
  address: ServiceAddress,
  terms: PlanTerms,
  shippingLines: readonly ShippingLine[] = [],
): string {
  const lines = items
    .map(({ shopifyLineItemId, productUid, fileUrl, pageCount, quantity, envelopeProductUid, envelopeQuantity }) => {
      // Lines without envelopes add nothing here, so that they keep the hashes from before Platen supported envelopes.
      const envelopes = envelopeProductUid === null ? [] : [envelopeProductUid, envelopeQuantity];
      return JSON.stringify([shopifyLineItemId, productUid, fileUrl, pageCount, quantity, ...envelopes]);
    })
    .toSorted();
  const { currency, returnAddress } = terms;
  const chosen = shippingLines.map(({ title, code }) => JSON.stringify([title, code])).toSorted();
  return createHash('sha256')
    .update(JSON.stringify([lines, address, currency, returnAddress && withSortedFields(returnAddress), chosen]))
    .digest('hex');
}

/** Sorts a setting's fields, because the database does not preserve their order. */
function withSortedFields(fields: object): [string, unknown][] {
  return Object.entries(fields).toSorted(([a], [b]) => (a < b ? -1 : 1));
}
