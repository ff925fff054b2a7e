import { In, IsNull, Not, type EntityManager } from 'typeorm';
import { PackageItems, Packages } from '../../../database/entities/packages.ts';
import type { PortOrder } from '../../../print/port.ts';
import { NO_TRACKING_CODE, formatTrackingCode, describeTrackingCodes } from '../../facts/describe-tracking-codes.ts';
import type { SubmitScope } from '../../submit/submit-scope.ts';
import { writeTimeline } from '../../record/write-timeline.ts';

interface KnownPackage {
  id: string;
  trackingCode: string;
  /** When the package was first shown, in milliseconds. All packages from one reading have the same value. */
  shownAt: number;
  replacedAt: Date | null;
  items: string[];
}

/**
 * Records which of a part's tracking codes the service has corrected. A code counts as corrected if the service no longer shows it and
 * shows a newer code for each item in its package. A corrected code is removed from the store's fulfillments, and counts again if the
 * service shows it again. A code that is missing without a newer code stays valid, because this response may be older than the previous
 * response.
 */
export async function replacePackages(scope: SubmitScope, manager: EntityManager, order: PortOrder): Promise<void> {
  const shown = new Set((order.shipment?.packages ?? []).flatMap(({ trackingCode }) => trackingCode?.trim() || []));
  if (shown.size === 0) return;
  const known = await readPackages(scope, manager, order.id);
  const isShown = (one: KnownPackage): boolean => shown.has(one.trackingCode);
  for (const one of known.filter((each) => isShown(each) && each.replacedAt !== null)) {
    await manager.update(Packages, { id: one.id }, { replacedAt: null, pushedAt: null, seenAt: scope.app.clock.now() });
    // The code that is shown again becomes the newest, so the code that had replaced it can be removed.
    one.shownAt = Infinity;
  }
  for (const old of known.filter((each) => !isShown(each) && each.replacedAt === null)) {
    const inPlace = known.filter((one) => isShown(one) && one.shownAt > old.shownAt);
    const isCovered = old.items.every((item) => inPlace.some(({ items }) => items.includes(item)));
    if (old.items.length === 0 || !isCovered) continue;
    const mine = inPlace.filter(({ items }) => old.items.some((item) => items.includes(item)));
    await replaceCodes(
      scope,
      manager,
      old,
      mine.map((one) => one.trackingCode),
    );
  }
}

/** Reads a part's confirmed packages. */
async function readPackages(
  { printOrder }: SubmitScope,
  manager: EntityManager,
  partId: string,
): Promise<KnownPackage[]> {
  const where = { printOrderId: printOrder.id, serviceOrderId: partId, confirmedAt: Not(IsNull()) };
  const packages = await manager.find(Packages, { where, order: { id: 'ASC' } });
  const items = await manager.findBy(PackageItems, { packageId: In(packages.map(({ id }) => id)) });
  return packages
    .filter(({ trackingCode }) => trackingCode !== NO_TRACKING_CODE)
    .map(({ id, trackingCode, replacedAt, seenAt }) => {
      const inside = items.filter(({ packageId }) => packageId === id);
      const references = inside.map(({ itemReferenceId }) => itemReferenceId);
      return { id, trackingCode, replacedAt, shownAt: seenAt.getTime(), items: references };
    });
}

async function replaceCodes(
  { app, printOrder }: SubmitScope,
  manager: EntityManager,
  old: KnownPackage,
  codes: readonly string[],
): Promise<void> {
  await manager.update(Packages, { id: old.id }, { replacedAt: app.clock.now(), pushedAt: null });
  const { id: printOrderId, shopId, storefrontOrderId, reference } = printOrder;
  await writeTimeline(manager, {
    shopId,
    storefrontOrderId,
    printOrderId,
    kind: 'tracking_replaced',
    message: `The print service has corrected ${describeTrackingCodes([old.trackingCode])} of ${reference} to ${codes.map(formatTrackingCode).join(', ')}.`,
    data: { trackingCode: old.trackingCode, replacedBy: codes },
    by: 'print service',
  });
}
