import type { CreateOrderRequest } from '../print/orders-v3.ts';
import type { Settings } from '../shops/settings.ts';
import type { RequestFacts } from './to-quote-request.ts';

export interface CreateFacts extends RequestFacts {
  shipmentMethodUid: string;
  shop: string;
  /** The store's order name, such as `#1001`. */
  orderName: string;
  returnAddress: Settings['returnAddress'];
}

/** `POST /v3/orders` for one print order, its `orderType` apart (interface page, Create order). */
export function toCreateRequest(facts: CreateFacts): Omit<CreateOrderRequest, 'orderType'> {
  const {
    printOrder,
    lines,
    recipient,
    customerReferenceId,
    currency,
    shipmentMethodUid,
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
      { key: 'order', value: orderName.slice(0, 100) },
    ],
    shippingAddress: recipient,
    shipmentMethodUid,
    ...(returnAddress === null ? {} : { returnAddress }),
  };
}
