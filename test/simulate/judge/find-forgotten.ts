import { hash } from 'node:crypto';
import type { Platen } from '../scene.ts';
import type { Call } from '../world/network.ts';
import type { Finding } from './judge.ts';
import type { PrintRecord } from './read-books.ts';

/** What Platen's database contains of the things that it must never forget. */
export interface Kept {
  /** How often each webhook is kept, by its source and ID. */
  webhooks: ReadonlyMap<string, number>;
  /** The number of attempts to create each print order, by reference. */
  attempts: ReadonlyMap<string, number>;
}

export async function readKept({ app }: Platen): Promise<Kept> {
  const webhooks: { id: string; count: number }[] = await app.db.query(
    `select source || ' ' || case source when 'print' then body_sha256 else dedupe_key end as id, count(*)::int as count
     from deliveries group by 1`,
  );
  const attempts: { reference: string; count: number }[] = await app.db.query(
    `select reference, count(a.id)::int as count from print_orders p left join submit_attempts a on a.print_order_id = p.id group by 1`,
  );
  return {
    webhooks: new Map(webhooks.map(({ id, count }) => [id, count])),
    attempts: new Map(attempts.map(({ reference, count }) => [reference, count])),
  };
}

/**
 * Records a webhook that a process of Platen has answered. Platen keeps each webhook that it answers with 200. The print service sends an
 * event only three times, so Platen keeps its events even if the database cannot store them.
 */
export function recordAnswer(answered: Map<string, string>, { url, headers, body }: Call, status: number): void {
  const isPrint = url.pathname.startsWith('/webhooks/print/');
  if (!isPrint && url.pathname !== '/webhooks/shopify') return;
  if (status !== 200 && !(isPrint && status >= 500)) return;
  const id = isPrint ? `print ${hash('sha256', body)}` : `shopify ${headers['x-shopify-webhook-id']}`;
  const topic = isPrint ? body.slice(0, 200) : headers['x-shopify-topic'];
  answered.set(id, `${status} to ${topic}`);
}

/** Finds answered webhooks that Platen did not keep, or kept more than once. */
export function findForgottenWebhooks(answered: ReadonlyMap<string, string>, { webhooks }: Kept): Finding[] {
  return [...answered].flatMap(([id, words]): Finding[] => {
    const count = webhooks.get(id) ?? 0;
    if (count === 1) return [];
    return [{ rule: count === 0 ? 'lost' : 'repeated', evidence: `${id} is kept ${count} times: ${words}` }];
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
