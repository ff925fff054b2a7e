import type { z } from 'zod';
import { searchOrdersV3RequestSchema } from '../../../src/print/current/orders-v3.ts';
import { searchOrdersRequestSchema } from '../../../src/print/current/orders-v4.ts';
import { parseTimestamp } from '../../../src/print/parse-timestamp.ts';
import type { Order, OrderRecord } from './order-record.ts';
import { parseRequest } from '../parse-request.ts';
import { allOrders, type StandIn } from '../stand-in.ts';

type Filters = z.output<typeof searchOrdersRequestSchema>;

const DEFAULT_LIMIT = 50;

/** Serves `POST /v4/orders:search` (docs/rules/print-interface.md#search-v4), newest first. Throws a `Refusal`. */
export function searchOrders(standIn: StandIn, account: string, body: unknown): { orders: SearchRecord[] } {
  const filters = parseRequest(searchOrdersRequestSchema, body);
  return { orders: findPage(standIn, account, filters).map(toSearchRecord) };
}

/**
 * Serves `POST /v3/orders:search` (docs/rules/print-interface.md#search-v3), which has fewer filters than v4 and returns fewer fields of
 * each order. Throws a `Refusal`.
 */
export function searchOrdersV3(standIn: StandIn, account: string, body: unknown): { orders: SearchV3Record[] } {
  const filters = parseRequest(searchOrdersV3RequestSchema, body);
  return { orders: findPage(standIn, account, filters).map(toSearchV3Record) };
}

/** Returns the orders on a page. Orders younger than the faults' search lag are not shown yet. */
function findPage(standIn: StandIn, account: string, filters: Filters): OrderRecord[] {
  const visibleBefore = standIn.clock.now().getTime() - standIn.faults.searchLagMs();
  const found = allOrders(standIn).filter(
    (record) =>
      record.account === account &&
      !record.deleted &&
      record.createdMs <= visibleBefore &&
      matchesFilters(record, filters),
  );
  const offset = filters.offset ?? 0;
  return found.toReversed().slice(offset, offset + (filters.limit ?? DEFAULT_LIMIT));
}

type SearchRecord = ReturnType<typeof toSearchRecord>;
type SearchV3Record = ReturnType<typeof toSearchV3Record>;

function toSearchRecord(record: OrderRecord) {
  const { orderType, connectedOrderIds, storeId, items, receipts } = record.order;
  const purchases = receipts.filter(({ transactionType }) => transactionType === 'purchase');
  const total = purchases.reduce((sum, receipt) => sum + receipt.totalInclVat, 0);
  return {
    ...toSearchV3Record(record),
    orderType,
    connectedOrderIds,
    itemsCount: items.length,
    storeId,
    totalInclVat: total.toFixed(2),
  };
}

function toSearchV3Record({ order }: OrderRecord) {
  const { id, orderReferenceId, customerReferenceId, fulfillmentStatus, financialStatus, currency, channel } = order;
  const { createdAt, updatedAt, orderedAt, shippingAddress } = order;
  const { country, firstName, lastName } = shippingAddress;
  return {
    id,
    orderReferenceId,
    customerReferenceId,
    fulfillmentStatus,
    financialStatus,
    currency,
    channel,
    country,
    firstName,
    lastName,
    createdAt,
    updatedAt,
    orderedAt,
  };
}

function matchesFilters({ order }: OrderRecord, filters: Filters): boolean {
  const { shippingAddress } = order;
  const text = filters.search?.toLowerCase();
  return (
    matchesFilter(order.id, filters.ids) &&
    matchesFilter(order.orderReferenceId, filters.orderReferenceIds) &&
    (filters.orderReferenceId === undefined || order.orderReferenceId === filters.orderReferenceId) &&
    matchesFilter(order.orderType, filters.orderTypes) &&
    matchesFilter(order.channel, filters.channels) &&
    matchesFilter(order.storeId, filters.storeIds) &&
    matchesFilter(order.currency, filters.currencies) &&
    matchesFilter(shippingAddress.country, filters.countries) &&
    matchesFilter(order.fulfillmentStatus, filters.fulfillmentStatuses) &&
    matchesFilter(order.financialStatus, filters.financialStatuses) &&
    (text === undefined || toSearchedText(order).includes(text)) &&
    (filters.startDate ?? []).every((date) => orderedMs(order) >= toMs(date)) &&
    (filters.endDate ?? []).every((date) => orderedMs(order) <= toMs(date))
  );
}

/** Returns the text that `search` is matched against, one line for each field. */
function toSearchedText({ shippingAddress, orderReferenceId }: Order): string {
  return [shippingAddress.firstName, shippingAddress.lastName, orderReferenceId].join('\n').toLowerCase();
}

function orderedMs(order: Order): number {
  return Date.parse(order.orderedAt ?? order.createdAt);
}

function matchesFilter(value: string | null, wanted: readonly string[] | undefined): boolean {
  return wanted === undefined || wanted.length === 0 || (value !== null && wanted.includes(value));
}

function toMs(date: string): number {
  return parseTimestamp(date)?.getTime() ?? Date.parse(date);
}
