import { In } from 'typeorm';
import type { App } from '../../app.ts';
import { StorefrontOrders } from '../../database/entities/orders.ts';
import { PrintOrders } from '../../database/entities/print-orders.ts';
import type { Shop } from '../../database/entities/shops.ts';
import type { LegacyV1Calls, LegacyV2Calls, PrintService } from '../../print/client.ts';
import { searchOrdersRequestSchema, type SearchOrdersRequest } from '../../print/current/orders-v4.ts';
import { PrintServiceError } from '../../print/errors.ts';
import type { PrintInterface } from '../../print/port.ts';
import { openService } from '../../products/print-service/open-service.ts';
import { toReadableError } from '../../products/print-service/to-readable-error.ts';
import { readSettings } from '../../shops/settings/settings.ts';
import { writeJson, writeLine, writeTable } from '../../terminal.ts';
import type { GivenArguments } from '../command.ts';
import { UsageError } from '../usage-error.ts';

const MAX_LIMIT = 1000;
const DEFAULT_LIMIT = 100;
/** The interface's filter for each option. */
const FILTERS = {
  id: 'ids',
  'fulfillment-status': 'fulfillmentStatuses',
  'financial-status': 'financialStatuses',
  channel: 'channels',
  country: 'countries',
  search: 'search',
  since: 'startDate',
  until: 'endDate',
  currency: 'currencies',
  'order-type': 'orderTypes',
  store: 'storeIds',
} as const;
type FilterOption = keyof typeof FILTERS;
const V4_ONLY: ReadonlySet<string> = new Set<FilterOption>(['currency', 'order-type', 'store']);

type Filters = Record<FilterOption, string | string[] | undefined>;
type Version = 'v1' | 'v2' | 'v3' | 'v4';

/** An order at the service, in the version's own fields, and the name of the shop's order to which it belongs. */
type FoundRecord = Record<string, unknown> & { orderReferenceId: string; order: string | null };

/**
 * `platen print-orders search`: searches the orders of a shop's print account. The account determines the version of the interface: v4 with
 * the extended calls, v3 without them, and v2 or v1 if the shop prints through it. v2 and v1 have no search, so they show the orders with
 * the given references, and v2 their recipients.
 */
export async function printOrdersSearch(
  { args, options }: Pick<GivenArguments, 'args'> & { options: Filters & { limit: string | undefined; json: boolean } },
  app: App,
  shop: Shop,
): Promise<void> {
  const { limit: limitText, json, ...filters } = options;
  const limit = parseLimit(limitText);
  const { printInterface, legacyHost, extendedCalls } = readSettings(shop);
  const version = toVersion(printInterface, extendedCalls);
  checkFilters(version, args, filters);
  const { service } = await openService(app, shop);
  const host = legacyHost === 'test' ? 'legacyTest' : 'legacy';
  const found: (Record<string, unknown> & { orderReferenceId: string })[] = [];
  try {
    if (version === 'v1' || version === 'v2') {
      const calls = version === 'v1' ? service.v1(host) : service.v2(host);
      for (const reference of args) found.push(await readByReference(calls, reference));
    } else {
      for await (const record of search(service, version, toRequest(args, filters))) {
        if (found.push(record) > limit) break;
      }
    }
  } catch (error) {
    throw error instanceof PrintServiceError ? toReadableError(error, 'these orders') : error;
  }
  const records = await addOrderNames(app, shop, found.slice(0, limit));
  if (json) return writeJson(records);
  writeTable(
    ['ID', 'REFERENCE', 'ORDER', 'TYPE', 'STATUS', 'PAYMENT', 'RECIPIENT', 'COUNTRY', 'CREATED'],
    records.map(toRow),
  );
  if (found.length > limit)
    writeLine(`There are more orders. Add filters, or raise --limit (at most ${MAX_LIMIT}, now ${limit}).`);
}

function parseLimit(text = String(DEFAULT_LIMIT)): number {
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT) return limit;
  throw new UsageError(`--limit must be a whole number from 1 to ${MAX_LIMIT}.`);
}

function toVersion(printInterface: PrintInterface, extendedCalls: boolean): Version {
  if (printInterface !== 'current') return printInterface;
  return extendedCalls ? 'v4' : 'v3';
}

/** Throws UsageError for a filter that the version does not have. */
function checkFilters(version: Version, references: readonly string[], filters: Filters): void {
  const hasSearch = version === 'v3' || version === 'v4';
  for (const [option, value] of Object.entries(filters)) {
    const isGiven = value !== undefined && value.length > 0;
    if (isGiven && (!hasSearch || (version === 'v3' && V4_ONLY.has(option))))
      throw new UsageError(`--${option} is not available: this shop's print account is searched through ${version}.`);
  }
  if (!hasSearch && (references.length === 0 || references.length > DEFAULT_LIMIT))
    throw new UsageError(
      `This shop prints through ${version}, which has no search: enter 1 to ${DEFAULT_LIMIT} references.`,
    );
}

/** Throws UsageError for a value that the interface does not accept. */
function toRequest(references: string[], filters: Filters): SearchOrdersRequest {
  const request: Record<string, unknown> = references.length === 0 ? {} : { orderReferenceIds: references };
  for (const [option, filter] of Object.entries(FILTERS)) {
    const value = filters[option as FilterOption];
    if (value === undefined || value.length === 0) continue;
    if (!searchOrdersRequestSchema.safeParse({ [filter]: value }).success)
      throw new UsageError(`--${option} is invalid: the interface does not accept ${String(value)}.`);
    request[filter] = value;
  }
  return request;
}

function search(
  service: PrintService,
  version: 'v3' | 'v4',
  request: SearchOrdersRequest,
): AsyncIterable<Record<string, unknown> & { orderReferenceId: string }> {
  return version === 'v4' ? service.searchOrders(request) : service.searchOrdersV3(request);
}

async function readByReference(
  calls: LegacyV1Calls | LegacyV2Calls,
  orderReferenceId: string,
): Promise<Record<string, unknown> & { orderReferenceId: string }> {
  try {
    const status = await calls.getOrderStatus(orderReferenceId);
    const recipient = 'getOrderAddress' in calls ? await calls.getOrderAddress(orderReferenceId) : null;
    return { ...status, ...(recipient && { recipient }) };
  } catch (error) {
    if (error instanceof PrintServiceError && error.outcome === 'not_found')
      return { orderReferenceId, orderItems: null };
    throw error;
  }
}

/** Adds the names of the shop's own orders. The account may also have orders of other shops and other apps. */
async function addOrderNames(
  app: App,
  { id: shopId }: Shop,
  found: readonly (Record<string, unknown> & { orderReferenceId: string })[],
): Promise<FoundRecord[]> {
  const reference = In(found.map(({ orderReferenceId }) => orderReferenceId));
  const printOrders = await app.db.manager.findBy(PrintOrders, { shopId, reference });
  const ids = printOrders.map(({ storefrontOrderId }) => storefrontOrderId);
  const orders = await app.db.manager.findBy(StorefrontOrders, { shopId, id: In(ids) });
  const names = new Map(orders.map(({ id, name }) => [id, name]));
  const byReference = new Map(printOrders.map((one) => [one.reference, names.get(one.storefrontOrderId) ?? null]));
  return found.map((record) => ({ ...record, order: byReference.get(record.orderReferenceId) ?? null }));
}

function toRow(record: FoundRecord): string[] {
  const { orderReferenceId, order, orderItems, recipient } = record;
  const person = (recipient ?? record) as Record<string, unknown>;
  const statuses = Array.isArray(orderItems) ? orderItems.map(({ status }: { status?: unknown }) => show(status)) : [];
  return [
    show(record['id']),
    orderReferenceId,
    order ?? '',
    show(record['orderType']),
    orderItems === null ? 'not found' : show(record['fulfillmentStatus']) || [...new Set(statuses)].join(', '),
    show(record['financialStatus']),
    [person['firstName'], person['lastName']].map(show).filter(Boolean).join(' '),
    show(person['country'] ?? person['countryIsoCode']),
    show(record['createdAt']),
  ];
}

function show(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
