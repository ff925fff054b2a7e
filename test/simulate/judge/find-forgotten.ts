import { hash } from 'node:crypto';
import type { Platen } from '../scene.ts';
import type { Call } from '../world/network.ts';
import type { Place } from '../world/place.ts';
import type { Finding } from './judge.ts';
import type { Books, PrintRecord } from './read-books.ts';

/** What Platen's database contains of the things that it must never forget. */
export interface Kept {
  /** How often each webhook is kept, by its source and ID. */
  webhooks: ReadonlyMap<string, number>;
  /** The number of attempts to create each print order, by reference. */
  attempts: ReadonlyMap<string, number>;
  /** The IDs of the orders and drafts that are the print orders, or parts of them. */
  chosen: ReadonlySet<string>;
}

export async function readKept({ app }: Platen): Promise<Kept> {
  const webhooks: { id: string; count: number }[] = await app.db.query(
    `select source || ' ' || case source when 'print' then body_sha256 else dedupe_key end as id, count(*)::int as count
     from deliveries group by 1`,
  );
  const attempts: { reference: string; count: number }[] = await app.db.query(
    `select reference, count(a.id)::int as count from print_orders p left join submit_attempts a on a.print_order_id = p.id group by 1`,
  );
  const chosen: { id: string }[] = await app.db.query(
    `select service_order_id as id from service_orders where role in ('chosen', 'part')
     union select service_order_id from print_orders where service_order_id is not null`,
  );
  return {
    chosen: new Set(chosen.map(({ id }) => id)),
    webhooks: new Map(webhooks.map(({ id, count }) => [id, count])),
    attempts: new Map(attempts.map(({ reference, count }) => [reference, count])),
  };
}

/** Records a webhook that a process of Platen has answered with 200. Platen keeps each of them. */
export function recordAnswer(answered: Map<string, string>, { url, headers, body }: Call, status: number): void {
  if (status !== 200) return;
  if (isEvent(url)) answered.set(`print ${hash('sha256', body)}`, body.slice(0, 200));
  if (url.pathname === '/webhooks/shopify')
    answered.set(`shopify ${headers['x-shopify-webhook-id']}`, headers['x-shopify-topic'] ?? '');
}

/**
 * The print service sends an event only three times, so a process refuses none, even if the database cannot store it. `knowing` contains
 * the processes that know the service's address, because they have accepted an event before.
 */
export function findRefusedEvent(knowing: Set<Place>, to: Place, { url, body }: Call, status: number): Finding[] {
  if (!isEvent(url)) return [];
  if (status === 200) knowing.add(to);
  if (status < 500 || !knowing.has(to)) return [];
  return [{ rule: 'refused', evidence: `${to.name} answered ${status} to ${body.slice(0, 200)}` }];
}

const isEvent = ({ pathname }: URL): boolean => pathname.startsWith('/webhooks/print/');

/** Finds answered webhooks that Platen did not keep, or kept more than once. */
export function findForgottenWebhooks(answered: ReadonlyMap<string, string>, { webhooks }: Kept): Finding[] {
  return [...answered].flatMap(([id, words]): Finding[] => {
    const count = webhooks.get(id) ?? 0;
    if (count === 1) return [];
    return [{ rule: count === 0 ? 'lost' : 'repeated', evidence: `${id} is kept ${count} times: ${words}` }];
  });
}

/** Finds print orders that are shown with the delivery estimate of a spare draft. */
export function findForeignEstimates(
  { shown }: Books,
  spares: ReadonlyMap<string, string>,
  { chosen }: Kept,
): Finding[] {
  return (shown?.printOrders ?? []).flatMap(({ reference, delivery }): Finding[] => {
    const id = spares.get(delivery.to ?? '');
    if (id === undefined || chosen.has(id)) return [];
    return [{ rule: 'estimate', evidence: `${reference} is shown with the estimate of ${id}: ${delivery.to}` }];
  });
}

/** Finds print orders and drafts that Platen created without keeping a record of the attempt. */
export function findForgottenAttempts(printed: readonly PrintRecord[], { attempts }: Kept): Finding[] {
  const made = Map.groupBy(printed, ({ orderReferenceId }) => orderReferenceId);
  return [...made].flatMap(([reference, all]): Finding[] => {
    const kept = attempts.get(reference) ?? 0;
    if (all.length <= kept) return [];
    return [{ rule: 'forgotten', evidence: `${reference} was created ${all.length} times, in ${kept} known attempts` }];
  });
}
