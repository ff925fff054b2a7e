import type { PrintOrderBody, ShippingPromise } from '../../print/port.ts';
import type { Settings } from '../../shops/settings/settings.ts';
import type { RequestFacts } from './to-quote-request.ts';
import { truncateText } from '../../truncate-text.ts';

export interface CreateFacts extends RequestFacts {
  shipmentMethodUid: string;
  /** The offer from which the earlier interfaces create the order. Null in the current interface. */
  promise: ShippingPromise | null;
  shop: string;
  /** The store's order name, such as `#1001`. */
  orderName: string;
  returnAddress: Settings['returnAddress'];
}

/** Returns the body of `POST /v3/orders` for a print order, without `orderType` (docs/rules/print-interface.md#create-order). */
export function toCreateRequest(facts: CreateFacts): PrintOrderBody {
  const {
    printOrder,
    lines,
    recipient,
    customerReferenceId,
    currency,
    shipmentMethodUid,
    promise,
    shop,
    orderName,
    returnAddress,
  } = facts;
  return {
    orderReferenceId: printOrder.reference,
    customerReferenceId,
    currency,
    items: lines.map(({ itemReferenceId, productUid, pageCount, fileUrl, quantity }) => ({
      itemReferenceId,
      productUid,
      ...(pageCount === null ? {} : { pageCount }),
      ...(fileUrl === null ? {} : { fileUrl }),
      quantity,
    })),
    metadata: [
      { key: 'shop', value: shop },
      { key: 'order', value: truncateText(orderName, 100) },
    ],
    shippingAddress: recipient,
    shipmentMethodUid,
    ...(returnAddress === null ? {} : { returnAddress }),
    ...(promise === null ? {} : { promise }),
  };
}
