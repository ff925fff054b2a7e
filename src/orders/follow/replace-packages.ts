import type { EntityManager } from 'typeorm';
import type { ShownOrder } from '../../print/port.ts';
import { sayCode, sayCodes } from '../say-codes.ts';
import type { SubmitScope } from '../submit/submit-scope.ts';
import { writeTimeline } from '../write-timeline.ts';

interface KnownPackage {
  id: string;
  tracking_code: string;
  /** A higher one was seen later. Two of one reading have the same. */
  turn: number;
  replaced_at: Date | null;
  items: string[];
}

/**
 * Notes which codes of one part the service has corrected: it shows a newer code for each of their items and no longer them. Such a
 * code is to be taken off the store's fulfilments; one that is shown again stands again. A code that is only not shown, with nothing
 * newer in its place, stays: an answer may be older than the last one.
 */
export async function replacePackages(scope: SubmitScope, manager: EntityManager, order: ShownOrder): Promise<void> {
  const shown = new Set((order.shipment?.packages ?? []).flatMap(({ trackingCode }) => trackingCode?.trim() || []));
  if (shown.size === 0) return;
  const known = await readPackages(scope, manager, order.id);
  const isShown = (one: KnownPackage): boolean => shown.has(one.tracking_code);
  for (const one of known.filter((each) => isShown(each) && each.replaced_at !== null)) {
    await showAgain(manager, one);
    // It is the newest now: the code that had taken its place can be taken off.
    one.turn = Infinity;
  }
  for (const old of known.filter((each) => !isShown(each) && each.replaced_at === null)) {
    const inPlace = known.filter((one) => isShown(one) && one.turn > old.turn);
    const isCovered = old.items.every((item) => inPlace.some(({ items }) => items.includes(item)));
    if (old.items.length === 0 || !isCovered) continue;
    const mine = inPlace.filter(({ items }) => old.items.some((item) => items.includes(item)));
    await replace(
      scope,
      manager,
      old,
      mine.map((one) => one.tracking_code),
    );
  }
}

async function showAgain(manager: EntityManager, { id }: KnownPackage): Promise<void> {
  const set = 'replaced_at = null, pushed_at = null, seen_at = clock_timestamp()';
  await manager.query(`update packages set ${set} where id = $1`, [id]);
}

/** The confirmed packages of one part. The database compares their times, since a Date would drop the microseconds. */
function readPackages({ printOrder }: SubmitScope, manager: EntityManager, partId: string): Promise<KnownPackage[]> {
  return manager.query(
    `select k.id, k.tracking_code, k.replaced_at, (dense_rank() over (order by k.seen_at))::int as turn,
       coalesce((select array_agg(i.item_reference_id) from package_items i where i.package_id = k.id), '{}') as items
     from packages k where k.print_order_id = $1 and k.service_order_id = $2 and k.confirmed_at is not null and k.tracking_code <> '' order by k.id`,
    [printOrder.id, partId],
  );
}

async function replace(
  { app, printOrder }: SubmitScope,
  manager: EntityManager,
  old: KnownPackage,
  codes: readonly string[],
): Promise<void> {
  await manager.query('update packages set replaced_at = $2, pushed_at = null where id = $1', [old.id, app.now()]);
  const { id: printOrderId, shopId, storefrontOrderId, reference } = printOrder;
  await writeTimeline(manager, {
    shopId,
    storefrontOrderId,
    printOrderId,
    kind: 'tracking_replaced',
    message: `The print service has corrected ${sayCodes([old.tracking_code])} of ${reference}: it is ${codes.map(sayCode).join(', ')}.`,
    data: { trackingCode: old.tracking_code, replacedBy: codes },
    by: 'print service',
  });
}
