import type { PrintOrder, PrintOrderLine } from '../../database/entities/print-orders.ts';
import type { PortQuoteRequest } from '../../print/port.ts';
import type { Settings } from '../../shops/settings/settings.ts';
import type { ServiceAddress } from '../address/fit-address.ts';

/** What a quote or a create is made from. */
export interface RequestFacts {
  printOrder: Pick<PrintOrder, 'reference'>;
  lines: readonly Pick<
    PrintOrderLine,
    'itemReferenceId' | 'productUid' | 'pageCount' | 'fileUrl' | 'quantity' | 'envelopeProductUid' | 'envelopeQuantity'
  >[];
  recipient: ServiceAddress;
  /** Shop handle, `-`, and the customer's numeric id or `guest`. */
  customerReferenceId: string;
  currency: string;
}

/** `POST /v4/orders:quote` for the lines of one print order (docs/rules/print-interface.md#quote-order). */
export function toQuoteRequest(
  { printOrder, lines, recipient, customerReferenceId, currency }: RequestFacts,
  { allowMultipleQuotes }: Pick<Settings, 'allowMultipleQuotes'>,
): PortQuoteRequest {
  return {
    orderReferenceId: printOrder.reference,
    customerReferenceId,
    currency,
    recipient,
    allowMultipleQuotes,
    products: lines.map(
      ({ itemReferenceId, productUid, pageCount, fileUrl, quantity, envelopeProductUid, envelopeQuantity }) => ({
        itemReferenceId,
        productUid,
        ...(pageCount === null ? {} : { pageCount }),
        ...(fileUrl === null ? {} : { files: [{ type: 'default', url: fileUrl }] }),
        quantity,
        ...(envelopeProductUid === null || envelopeQuantity === null
          ? {}
          : { envelopes: { productUid: envelopeProductUid, quantity: envelopeQuantity } }),
      }),
    ),
  };
}
