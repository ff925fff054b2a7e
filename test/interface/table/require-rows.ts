import { CALLS } from '../check/client-calls.ts';
import { AUTHENTICATION, EARLIER_ERRORS, HTTP_CODES } from './errors.ts';
import { EVENTS } from './events.ts';
import type { Ledger } from '../check/ledger.ts';
import { FIELD_LIMITS } from './limits.ts';
import {
  CONNECTION_STATUSES,
  FINANCIAL_STATUSES,
  OLDER_ITEM_STATUSES,
  OLDER_ORDER_STATUSES,
  ORDER_STATUSES,
  ORDER_TYPES,
  STOCK_STATUSES,
  STORE_PRODUCT_STATUSES,
  TRANSITIONS,
} from './states.ts';
import { walk } from './table.ts';

/** A draft causes no events until it becomes an order. */
const EVENT_STATUSES = ORDER_STATUSES.filter((status) => status !== 'draft');

/** The response and event fields that must have each documented value at least once. */
const EXPECTED_VALUES: readonly (readonly [row: string, values: readonly string[]])[] = [
  ['getOrder response fulfillmentStatus', ORDER_STATUSES],
  ['getOrder response items[].fulfillmentStatus', ORDER_STATUSES],
  ['getOrder response financialStatus', FINANCIAL_STATUSES],
  ['getOrder response orderType', ORDER_TYPES],
  ['event order_status_updated fulfillmentStatus', EVENT_STATUSES],
  ['event order_item_status_updated status', EVENT_STATUSES],
  ['event orderStatus fulfillmentStatus', OLDER_ORDER_STATUSES],
  ['event itemStatus status', OLDER_ITEM_STATUSES],
  ['getOrderStatusV1 response orderItem.status', OLDER_ITEM_STATUSES],
  ['getOrderStatusV2 response orderItems[].status', OLDER_ITEM_STATUSES],
  ['getStoreProduct response status', STORE_PRODUCT_STATUSES],
  ['getStoreProduct response variants[].connectionStatus', CONNECTION_STATUSES],
  ['event catalog_product_stock_availability_updated productAvailability[].availability[].status', STOCK_STATUSES],
];

/** Adds every row of the page to the ledger, with the required kinds of checks. */
export function requireRows(ledger: Ledger): void {
  for (const { name, request, response, rules = [] } of CALLS) {
    ledger.want(`${name} path`, 'client', 'answer');
    for (const { path, field } of walk(request ?? [])) {
      ledger.want(`${name} request ${path}`, 'client', 'refusal');
      if (field.default !== undefined) ledger.want(`${name} default ${path}`, 'case');
    }
    for (const { path } of walk(response ?? [])) ledger.want(`${name} response ${path}`, 'client', 'answer');
    for (const { says, serviceOnly = false } of rules) {
      ledger.want(`${name} rule ${says}`, 'refusal', ...(serviceOnly ? [] : ['client' as const]));
    }
  }
  for (const { name, fields, alsoSpelled = {} } of EVENTS) {
    for (const { path } of walk(fields)) ledger.want(`event ${name} ${path}`, 'client', 'event');
    for (const spelling of Object.entries(alsoSpelled).flat()) {
      ledger.want(`event spelling ${spelling}`, 'client', 'event');
    }
  }
  for (const { status } of HTTP_CODES) ledger.want(`code ${status}`, 'case');
  for (const { call, status, meaning } of EARLIER_ERRORS) ledger.want(`error ${call} ${status} ${meaning}`, 'case');
  for (const { item } of FIELD_LIMITS) ledger.want(`limit ${item}`, 'case');
  for (const [row, values] of EXPECTED_VALUES) for (const value of values) ledger.want(`${row} = ${value}`, 'case');
  for (const { name } of TRANSITIONS) ledger.want(`transition ${name}`, 'case');
  for (const rule of AUTHENTICATION) ledger.want(`authentication ${rule}`, 'case');
  ledger.want('limit webhook delivery attempts', 'case');
  ledger.want('limit webhook delivery pause', 'case');
  ledger.want('limit earlier interface promise', 'case');
  ledger.want('limit earlier interface order status availability', 'case');
}
