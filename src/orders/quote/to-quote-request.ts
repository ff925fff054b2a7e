import type { PrintOrder, PrintOrderLine } from '../../database/entities/print-orders.ts';
import type { PortQuoteRequest } from '../../print/port.ts';
import type { Settings } from '../../shops/settings/settings.ts';
import type { ServiceAddress } from '../address/fit-address.ts';

/** The data from which quote and create requests are built. */
export interface RequestFacts {
  printOrder: Pick<PrintOrder, 'reference'>;
  lines: readonly Pick<
    PrintOrderLine,
    'itemReferenceId' | 'productUid' | 'pageCount' | 'fileUrl' | 'quantity' | 'envelopeProductUid' | 'envelopeQuantity'
  >[];
  recipient: ServiceAddress;
  /** Shop handle, `-` and the customer's numeric ID or `guest`. */
  customerReferenceId: string;
  currency: string;
}

/** Returns the body of `POST /v4/orders:quote` for a print order's lines (docs/rules/print-interface.md#quote-order). */
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
