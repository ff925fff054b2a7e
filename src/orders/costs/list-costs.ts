import type { EntityManager } from 'typeorm';
import { In } from 'typeorm';
import type { App } from '../../app.ts';
import { StorefrontOrders, type StorefrontOrder } from '../../database/entities/orders.ts';
import type { PrintOrder } from '../../database/entities/print-orders.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { InvalidInputError } from '../../errors.ts';
import { parseMoment } from '../facts/parse-moment.ts';
import { readCosts, type PrintCosts } from './read-costs.ts';
import { unknownReasons, type UnknownReason } from './to-margin.ts';

/** The cost and margin of one print order that was ordered at the service. Contains no personal data. */
export interface ListedCosts extends Omit<PrintCosts, 'unknown'> {
  orderId: string;
  order: string;
  /** ISO 8601. */
  placedAt: string;
  reference: string;
  state: PrintOrder['state'];
  /** When the print order was ordered at the print service, ISO 8601. */
  orderedAt: string;
  /** Why the margin is unknown. Null if the margin is known. */
  unknown: { code: UnknownReason; message: string } | null;
}

/** The period in which print orders were ordered at the print service. `until` is exclusive. Null means no limit. */
export interface CostsPeriod {
  since: Date | null;
  until: Date | null;
}

const PAGE = 50;
// The other columns of both tables are large or encrypted, so reading them is slow.
const LISTED_OF_ORDER = { id: true, shopifyOrderId: true, name: true, placedAt: true, redactedAt: true } as const;
type ListedOrder = Pick<StorefrontOrder, keyof typeof LISTED_OF_ORDER>;
type ListedPrintOrder = Pick<PrintOrder, 'id' | 'storefrontOrderId' | 'reference' | 'state' | 'confirmedAt'>;

/**
 * Parses a period that consists of ISO times or of days in the shop's time zone. A day in `until` is included. Throws InvalidInputError.
 */
export function parsePeriod(
  { since, until }: { since: string | null; until: string | null },
  { timeZone }: Pick<Shop, 'timeZone'>,
): CostsPeriod {
  const period = {
    since: since === null ? null : parseMoment('since', since, timeZone),
    until: until === null ? null : parseMoment('until', until, timeZone, { end: true }),
  };
  if (period.since && period.until && period.since >= period.until)
    throw new InvalidInputError('until', 'until: must be later than since.');
  return period;
}

/**
 * Lists a page of a shop's print orders with their costs, latest first. `after` is the previous page's `next`, and `rows` is the page size.
 */
export async function listCostsPage(
  app: App,
  { id: shopId }: Pick<Shop, 'id'>,
  { period, after, rows = PAGE }: { period: CostsPeriod; after: string | null; rows?: number },
): Promise<{ costs: ListedCosts[]; next: string | null }> {
  return app.db.transaction('REPEATABLE READ', async (manager) => {
    const page = await readPage(manager, { shopId, period, after, rows });
    const shown = page.slice(0, rows);
    const orders: ListedOrder[] = await manager.find(StorefrontOrders, {
      select: LISTED_OF_ORDER,
      where: { id: In([...new Set(shown.map(({ storefrontOrderId }) => storefrontOrderId))]) },
    });
    const byId = new Map(orders.map((order) => [order.id, order]));
    const costs = await readCosts(manager, orders);
    const listed = shown.flatMap((printOrder): ListedCosts[] => {
      const order = byId.get(printOrder.storefrontOrderId);
      const own = costs.get(printOrder.storefrontOrderId)?.prints.get(printOrder.id);
      if (!order || !own || printOrder.confirmedAt === null) return [];
      const { reference, state, confirmedAt } = printOrder;
      return [
        {
          orderId: order.shopifyOrderId,
          order: order.name,
          placedAt: order.placedAt.toISOString(),
          reference,
          state,
          orderedAt: confirmedAt.toISOString(),
          ...own,
          unknown: describeUnknownReason(own.unknown),
        },
      ];
    });
    return { costs: listed, next: page.length > rows ? (shown.at(-1)?.id ?? null) : null };
  });
}

/** Yields the costs of all of a shop's print orders. Each page of the result is a consistent snapshot. */
export async function* iterateCosts(
  app: App,
  shop: Pick<Shop, 'id'>,
  period: CostsPeriod,
  rows = PAGE,
): AsyncGenerator<ListedCosts> {
  for (let after: string | null = null; ;) {
    const page: Awaited<ReturnType<typeof listCostsPage>> = await listCostsPage(app, shop, { period, after, rows });
    yield* page.costs;
    if (page.next === null) return;
    after = page.next;
  }
}

/** Returns the code with its message for the merchant. */
export function describeUnknownReason(code: UnknownReason | null): { code: UnknownReason; message: string } | null {
  return code === null ? null : { code, message: unknownReasons[code] };
}

function readPage(
  manager: EntityManager,
  { shopId, period, after, rows }: { shopId: number; period: CostsPeriod; after: string | null; rows: number },
): Promise<ListedPrintOrder[]> {
  return manager.query<ListedPrintOrder[]>(PRINT_ORDERS_PAGE, [shopId, period.since, period.until, after, rows + 1]);
}

// The database compares the times, because a JavaScript Date would lose microseconds. The ID of another shop's row is not a valid position.
const PRINT_ORDERS_PAGE = `
  select p.id, p.storefront_order_id as "storefrontOrderId", p.reference, p.state, p.confirmed_at as "confirmedAt"
  from print_orders p
  where p.shop_id = $1 and p.confirmed_at is not null
    and ($2::timestamptz is null or p.confirmed_at >= $2) and ($3::timestamptz is null or p.confirmed_at < $3)
    and ($4::bigint is null or (p.confirmed_at, p.id) < (select a.confirmed_at, a.id from print_orders a where a.id = $4 and a.shop_id = $1))
  order by p.confirmed_at desc, p.id desc limit $5`;
