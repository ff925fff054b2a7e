import { createHash } from 'node:crypto';
import type { PrintOrderLine } from '../database/print-orders.ts';
import type { ServiceAddress } from './fit-address.ts';

type Line = Pick<
  PrintOrderLine,
  'shopifyLineItemId' | 'productUid' | 'fileUrl' | 'pageCount' | 'quantity' | 'envelopeProductUid' | 'envelopeQuantity'
>;

/** What a print order stands for, whatever the order of its lines; any other content needs another reference. */
export function hashPlan(items: readonly Line[], address: ServiceAddress): string {
  const lines = items
    .map(({ shopifyLineItemId, productUid, fileUrl, pageCount, quantity, envelopeProductUid, envelopeQuantity }) => {
      // Left out where there are none, so that lines of before envelopes keep their hash.
      const envelopes = envelopeProductUid === null ? [] : [envelopeProductUid, envelopeQuantity];
      return JSON.stringify([shopifyLineItemId, productUid, fileUrl, pageCount, quantity, ...envelopes]);
    })
    .toSorted();
  return createHash('sha256')
    .update(JSON.stringify([lines, address]))
    .digest('hex');
}
