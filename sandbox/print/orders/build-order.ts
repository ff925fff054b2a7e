import type { Ids } from '../../ids.ts';
import { buildReceipt } from './build-receipt.ts';
import type { WantedItem } from '../production/choose-facilities.ts';
import {
  toTimestamp,
  type CreateRequest,
  type Order,
  type OrderFile,
  type OrderItem,
  type OrderShipment,
} from './order-record.ts';
import { priceItem } from './quote-products.ts';

const billingEntity = {
  id: '533',
  companyName: 'Sandbox Merchant',
  companyNumber: '',
  companyVatNumber: '',
  country: 'NO',
  recipientName: 'Sandbox Merchant',
  addressLine1: 'Storgata 1',
  addressLine2: '',
  city: 'Oslo',
  postCode: '0155',
  state: '',
  email: 'billing@merchant.example',
  phone: '',
};
const noReturnAddress = {
  companyName: null,
  addressLine1: null,
  addressLine2: null,
  city: null,
  postCode: null,
  state: null,
  country: null,
  email: null,
  phone: null,
};
const noAddress = {
  ...noReturnAddress,
  firstName: null,
  lastName: null,
  isBusiness: false,
  federalTaxId: null,
  stateTaxId: null,
  registrationStateCode: null,
};

interface OrderParts {
  id: string;
  connectedOrderIds: string[];
  request: CreateRequest;
  items: readonly (WantedItem & { files: OrderFile[] })[];
  shipment: OrderShipment;
  /** The connection through which the order was placed: the API (channel `api`) or another connection of the same account. */
  origin: { channel: string; storeId: string | null };
  nowMs: number;
}

/** Builds a new order or draft as Order Get shows it. A draft is not charged, so it has no receipt. */
export function buildOrder(parts: OrderParts, ids: Ids): Order {
  const { id, request, shipment } = parts;
  const isDraft = request.orderType === 'draft';
  const at = toTimestamp(parts.nowMs);
  const items = parts.items.map((item) => buildItem(item, request.currency, isDraft ? 'draft' : 'created', ids));
  const order = { id, currency: request.currency, items, shipment };
  return {
    ...order,
    orderType: isDraft ? 'draft' : 'order',
    orderReferenceId: request.orderReferenceId,
    customerReferenceId: request.customerReferenceId,
    fulfillmentStatus: isDraft ? 'draft' : 'created',
    financialStatus: isDraft ? 'draft' : 'pending',
    ...parts.origin,
    createdAt: at,
    updatedAt: at,
    orderedAt: isDraft ? null : at,
    metadata: request.metadata ?? [],
    billingEntity,
    shippingAddress: { ...noAddress, ...request.shippingAddress, id: ids.nextUuid(), orderId: id },
    returnAddress: request.returnAddress
      ? { ...noReturnAddress, ...request.returnAddress, id: ids.nextUuid(), orderId: id }
      : null,
    receipts: isDraft ? [] : [buildReceipt(order, at, ids)],
    connectedOrderIds: parts.connectedOrderIds,
    refusalReason: null,
    refusalReasonCode: null,
  };
}

function buildItem(item: WantedItem & { files: OrderFile[] }, currency: string, status: string, ids: Ids): OrderItem {
  return {
    id: ids.nextUuid(),
    itemReferenceId: item.itemReferenceId,
    productUid: item.product.productUid,
    productName: item.product.productName,
    pageCount: item.pageCount,
    fileUrl: item.files[0]?.url ?? null,
    files: item.files,
    processedFileUrl: null,
    quantity: item.quantity,
    fulfillmentStatus: status,
    previews: [],
    price: priceItem(item, currency),
  };
}
