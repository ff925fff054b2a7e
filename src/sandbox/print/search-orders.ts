import type { z } from 'zod';
import { searchOrdersRequestSchema } from '../../print/orders-v4.ts';
import { parseTimestamp } from '../../print/parse-timestamp.ts';
import type { Order, OrderRecord } from './order-record.ts';
import { parseRequest } from './parse-request.ts';
import { allOrders, type StandIn } from './stand-in.ts';

type Filters = z.output<typeof searchOrdersRequestSchema>;

const DEFAULT_LIMIT = 50;

/**
 * `POST /v4/orders:search` (interface page, Search orders (current)), the newest first. Orders younger than the search lag that the
 * faults set are not shown yet. Throws a `Refusal`.
 */
export function searchOrders(standIn: StandIn, account: string, body: unknown): { orders: SearchRecord[] } {
  const filters = parseRequest(searchOrdersRequestSchema, body);
  const visibleBefore = Date.now() - standIn.faults.searchLagMs();
  const found = allOrders(standIn).filter(
    (record) =>
      record.account === account && !record.deleted && record.createdMs <= visibleBefore && matches(record, filters),
  );
  const offset = filters.offset ?? 0;
  const page = found.toReversed().slice(offset, offset + (filters.limit ?? DEFAULT_LIMIT));
  return { orders: page.map(toSearchRecord) };
}

type SearchRecord = ReturnType<typeof toSearchRecord>;

function toSearchRecord({ order }: OrderRecord) {
  const { id, orderReferenceId, orderType, channel, connectedOrderIds, createdAt, updatedAt, orderedAt } = order;
  const { currency, customerReferenceId, financialStatus, fulfillmentStatus, storeId, shippingAddress } = order;
  const { country, firstName, lastName } = shippingAddress;
  const total = order.receipts.reduce((sum, receipt) => sum + receipt.totalInclVat, 0);
  return {
    id,
    orderReferenceId,
    orderType,
    channel,
    connectedOrderIds,
    country,
    createdAt,
    updatedAt,
    orderedAt,
    currency,
    customerReferenceId,
    financialStatus,
    fulfillmentStatus,
    firstName,
    lastName,
    itemsCount: order.items.length,
    storeId,
    totalInclVat: total.toFixed(2),
  };
}

function matches({ order }: OrderRecord, filters: Filters): boolean {
  const { shippingAddress } = order;
  const text = filters.search?.toLowerCase();
  return (
    isAmong(order.id, filters.ids) &&
    isAmong(order.orderReferenceId, filters.orderReferenceIds) &&
    (filters.orderReferenceId === undefined || order.orderReferenceId === filters.orderReferenceId) &&
    isAmong(order.orderType, filters.orderTypes) &&
    isAmong(order.channel, filters.channels) &&
    isAmong(order.storeId, filters.storeIds) &&
    isAmong(order.currency, filters.currencies) &&
    isAmong(shippingAddress.country, filters.countries) &&
    isAmong(order.fulfillmentStatus, filters.fulfillmentStatuses) &&
    isAmong(order.financialStatus, filters.financialStatuses) &&
    (text === undefined || searchedIn(order).includes(text)) &&
    (filters.startDate ?? []).every((date) => orderedMs(order) >= toMs(date)) &&
    (filters.endDate ?? []).every((date) => orderedMs(order) <= toMs(date))
  );
}

/** What `search` looks in, a line for each field. */
function searchedIn({ shippingAddress, orderReferenceId }: Order): string {
  return [shippingAddress.firstName, shippingAddress.lastName, orderReferenceId].join('\n').toLowerCase();
}

function orderedMs(order: Order): number {
  return Date.parse(order.orderedAt ?? order.createdAt);
}

function isAmong(value: string | null, wanted: readonly string[] | undefined): boolean {
  return wanted === undefined || wanted.length === 0 || (value !== null && wanted.includes(value));
}

function toMs(date: string): number {
  return parseTimestamp(date)?.getTime() ?? Date.parse(date);
}
