import type { EntityManager } from 'typeorm';
import { TimelineEntries } from '../../../database/entities/orders.ts';
import { PackageItems, Packages, type Package } from '../../../database/entities/packages.ts';
import { isWithin } from '../../../print/lengths.ts';
import type { PortOrder } from '../../../print/port.ts';
import { describeTrackingCodes } from '../../facts/describe-tracking-codes.ts';
import type { SubmitScope } from '../../submit/submit-scope.ts';
import { writeTimeline } from '../../record/write-timeline.ts';

/** A tracking code and the data stored with it. */
export interface ReportedPackage {
  serviceOrderId: string;
  trackingCode: string;
  trackingUrl: string | null;
  shipmentMethodUid: string | null;
  shipmentMethodName: string | null;
  items: { itemReferenceId: string; quantity: number | null }[];
}

/** Maximum number of characters, because a unique index contains the code. Carriers and the store accept any character. */
const MAX_CODE_LENGTH = 400;
const MAX_URL_LENGTH = 2048;
/** Characters not allowed in a URL (RFC 3987), and stray percent signs. The store refuses URLs that contain them. */
const NOT_IN_URL = /[\s\p{Cc}<>"{}|\\^`]|%(?![0-9a-f]{2})/giu;

/** Records the packages that the service itself shows for one part. These packages count as confirmed. */
export async function receivePackages(
  scope: Pick<SubmitScope, 'app' | 'printOrder'>,
  manager: EntityManager,
  order: PortOrder,
): Promise<void> {
  const references = new Map(
    order.items.map(({ id, itemReferenceId, quantity }) => [id, { itemReferenceId, quantity }]),
  );
  for (const { trackingCode, trackingUrl, orderItemIds } of order.shipment?.packages ?? []) {
    if (trackingCode === null || trackingCode === '') continue;
    // A package that lists no items contains all items of its part.
    const named = orderItemIds.length > 0 ? orderItemIds : [...references.keys()];
    const items = named.flatMap((id) => references.get(id) ?? []);
    const { shipmentMethodUid = null, shipmentMethodName = null } = order.shipment ?? {};
    await savePackage(
      scope,
      manager,
      { serviceOrderId: order.id, trackingCode, trackingUrl, shipmentMethodUid, shipmentMethodName, items },
      scope.app.clock.now(),
    );
  }
}

/**
 * Stores a tracking code once, with every item known to be in its package. The items may be reported in any order. If `confirmedAt` is
 * null, only an event has reported the code. `hint` is added to the timeline message. A URL that is not https is dropped, but its code is
 * stored.
 */
export async function savePackage(
  scope: Pick<SubmitScope, 'printOrder'>,
  manager: EntityManager,
  seen: ReportedPackage,
  confirmedAt: Date | null,
  hint = '',
): Promise<void> {
  const { printOrder } = scope;
  const trackingCode = seen.trackingCode.trim();
  if (trackingCode === '') return;
  if (!isWithin(trackingCode, MAX_CODE_LENGTH)) return recordOverlongCode(scope, manager, trackingCode);
  const { serviceOrderId, shipmentMethodUid, shipmentMethodName } = seen;
  const reported = { trackingUrl: toHttpsUrl(seen.trackingUrl), shipmentMethodUid, shipmentMethodName, confirmedAt };
  const key = { printOrderId: printOrder.id, serviceOrderId, trackingCode };
  const known = await manager.findOneBy(Packages, key);
  if (known) return addToPackage(manager, known, reported, seen.items);
  const { identifiers } = await manager.insert(Packages, { ...key, ...reported });
  await savePackageItems(manager, String(identifiers[0]?.['id']), seen.items);
  const items = seen.items.map(({ itemReferenceId }) => itemReferenceId);
  await recordPackageEntry(
    scope,
    manager,
    'tracking',
    `${printOrder.reference} has ${describeTrackingCodes([trackingCode])}.${hint}`,
    {
      trackingCode,
      items,
      serviceOrderId,
    },
  );
}

/** Adds data to a known package. Never overwrites a known value, and never adds a URL that comes from an event. */
async function addToPackage(
  manager: EntityManager,
  known: Package,
  reported: Pick<Package, 'trackingUrl' | 'shipmentMethodUid' | 'shipmentMethodName' | 'confirmedAt'>,
  items: ReportedPackage['items'],
): Promise<void> {
  const isAdded = await savePackageItems(manager, known.id, items);
  const next = {
    confirmedAt: known.confirmedAt ?? reported.confirmedAt,
    trackingUrl: reported.confirmedAt === null ? known.trackingUrl : (reported.trackingUrl ?? known.trackingUrl),
    shipmentMethodUid: known.shipmentMethodUid ?? reported.shipmentMethodUid,
    shipmentMethodName: known.shipmentMethodName ?? reported.shipmentMethodName,
    // A pushed package with a new item must be pushed again.
    ...(isAdded ? { pushedAt: null } : {}),
  };
  const names = Object.keys(next) as (keyof typeof next)[];
  // Only changed columns are written, because other steps may be writing other columns.
  const changed = names.filter((name) => next[name] !== known[name]).map((name) => [name, next[name]] as const);
  if (changed.length > 0) await manager.update(Packages, { id: known.id }, Object.fromEntries(changed));
}

/** Stores the items of a package. Returns whether any item is new. */
async function savePackageItems(
  manager: EntityManager,
  packageId: string,
  items: ReportedPackage['items'],
): Promise<boolean> {
  const before = new Map(
    (await manager.findBy(PackageItems, { packageId })).map((item) => [item.itemReferenceId, item.quantity]),
  );
  let isAdded = false;
  for (const { itemReferenceId, quantity: shown } of items) {
    const key = { packageId, itemReferenceId };
    const known = before.get(itemReferenceId);
    const quantity = shown !== null && shown > 0 ? shown : (known ?? null);
    if (known === undefined) await manager.insert(PackageItems, { ...key, quantity });
    else if (known !== quantity) await manager.update(PackageItems, key, { quantity });
    isAdded ||= known === undefined;
    before.set(itemReferenceId, quantity);
  }
  return isAdded;
}

/** Records that a code is too long, once per print order. The items with this code count as shipped without tracking. */
async function recordOverlongCode(
  scope: Pick<SubmitScope, 'printOrder'>,
  manager: EntityManager,
  trackingCode: string,
): Promise<void> {
  const kind = 'tracking_dropped';
  if (await manager.existsBy(TimelineEntries, { printOrderId: scope.printOrder.id, kind })) return;
  const message = `Platen cannot store ${describeTrackingCodes([trackingCode])}: it has more than ${MAX_CODE_LENGTH} characters.`;
  await recordPackageEntry(scope, manager, kind, message, {});
}

function toHttpsUrl(url: string | null): string | null {
  if (url === null || url.length > MAX_URL_LENGTH) return null;
  if (URL.parse(url)?.protocol !== 'https:') return null;
  const escaped = url.trim().replace(NOT_IN_URL, encodeURIComponent);
  return escaped.length > MAX_URL_LENGTH || !URL.canParse(escaped) ? null : escaped;
}

async function recordPackageEntry(
  { printOrder }: Pick<SubmitScope, 'printOrder'>,
  manager: EntityManager,
  kind: string,
  message: string,
  data: Record<string, unknown>,
): Promise<void> {
  const { shopId, storefrontOrderId, id: printOrderId } = printOrder;
  await writeTimeline(manager, { shopId, storefrontOrderId, printOrderId, kind, message, data, by: 'print service' });
}
