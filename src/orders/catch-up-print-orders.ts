import type { App } from '../app.ts';
import { PrintServiceError } from '../print/errors.ts';
import type { PrintInterface } from '../print/port.ts';
import { openPrintPort } from '../shops/print-account.ts';
import { enqueueFollow } from './follow-print-order.ts';

const CURRENT = { printInterface: 'current', legacyHost: 'live', extendedCalls: false } as const;
/** Ids in one search; the service's page holds as many. */
const PAGE = 100;

interface OpenPart {
  id: string;
  storefront_order_id: string;
  print_account_id: number;
  service_order_id: string;
  print_interface: PrintInterface;
  status: string | null;
  lacks_codes: boolean;
}

/**
 * Finds what lost events would have told: searches the open print orders of each account by id, a hundred at a time, and
 * has those followed whose status is another one, or that were shipped and have no tracking code yet; the earlier interface has
 * no search, so each of its orders is followed. Returns how many.
 */
export async function catchUpPrintOrders(app: App): Promise<number> {
  let found = 0;
  let after = '0';
  for (;;) {
    const parts = await readOpenParts(app, after);
    for (const accountId of new Set(parts.map((part) => part.print_account_id))) {
      found += await compare(
        app,
        accountId,
        parts.filter((part) => part.print_account_id === accountId),
      );
    }
    const last = parts.at(-1);
    if (!last || new Set(parts.map(({ id }) => id)).size < PAGE) return found;
    after = last.id;
  }
}

/** A page of print orders with their parts; the page ends with a print order, never between two of its parts. */
function readOpenParts(app: App, after: string): Promise<OpenPart[]> {
  return app.db.query(
    `select p.id, p.storefront_order_id, p.print_account_id, p.print_interface, s.service_order_id, s.status,
       p.state in ('shipped', 'shipped_no_tracking') and not exists (select from packages k where k.print_order_id = p.id and k.confirmed_at is not null) as lacks_codes
     from (select * from print_orders where id > $1 and confirmed_at is not null
             and state in ('submitted', 'in_production', 'shipped', 'shipped_no_tracking', 'held')
             and exists (select from shops where shops.id = print_orders.shop_id and shops.state = 'installed')
             and exists (select from service_orders o where o.print_order_id = print_orders.id and o.role in ('chosen', 'part'))
           order by id limit $2) p
     join service_orders s on s.print_order_id = p.id and s.role in ('chosen', 'part')
     order by p.id`,
    [after, PAGE],
  );
}

async function compare(app: App, accountId: number, parts: OpenPart[]): Promise<number> {
  const statuses = new Map<string, string | null>();
  const current = parts.filter((part) => part.print_interface === 'current');
  try {
    const { port } = await openPrintPort(app, accountId, CURRENT);
    for (let start = 0; start < current.length; start += PAGE) {
      const ids = current.slice(start, start + PAGE).map((part) => part.service_order_id);
      for await (const record of port.find({ ids })) statuses.set(record.id, record.fulfillmentStatus);
    }
  } catch (error) {
    if (!(error instanceof PrintServiceError)) throw error;
    app.log.warn(
      { accountId, operation: error.operation, outcome: error.outcome },
      'the poll of open print orders got no answer',
    );
  }
  const changed = new Map(parts.filter((part) => isToFollow(part, statuses)).map((part) => [part.id, part]));
  for (const { id, storefront_order_id: storefrontOrderId } of changed.values()) {
    await enqueueFollow(app, app.db.manager, { id, storefrontOrderId });
  }
  return changed.size;
}

function isToFollow(part: OpenPart, statuses: ReadonlyMap<string, string | null>): boolean {
  if (part.lacks_codes || part.print_interface !== 'current') return true;
  const status = statuses.get(part.service_order_id);
  return status !== undefined && status !== part.status;
}
