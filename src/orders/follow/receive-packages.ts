import type { EntityManager } from 'typeorm';
import { TimelineEntries } from '../../database/orders.ts';
import { isWithin } from '../../print/lengths.ts';
import type { ShownOrder } from '../../print/port.ts';
import { sayCodes } from '../say-codes.ts';
import type { SubmitScope } from '../submit/submit-scope.ts';
import { writeTimeline } from '../write-timeline.ts';

/** What is kept of one tracking code. */
export interface SeenPackage {
  serviceOrderId: string;
  trackingCode: string;
  trackingUrl: string | null;
  shipmentMethodUid: string | null;
  shipmentMethodName: string | null;
  items: { itemReferenceId: string; quantity: number | null }[];
}

/** In characters: a unique index holds the code. Carriers may use any character, and the store accepts each. */
const LONGEST_CODE = 400;
const LONGEST_URL = 2048;
/** Characters that no URL has (RFC 3987), and a percent sign that escapes nothing: the store refuses a URL with one of them. */
const NOT_IN_URL = /[\s\p{Cc}<>"{}|\\^`]|%(?![0-9a-f]{2})/giu;

/** Takes in the packages that the service itself shows of one part: these are borne out. */
export async function receivePackages(scope: SubmitScope, manager: EntityManager, order: ShownOrder): Promise<void> {
  const references = new Map(
    order.items.map(({ id, itemReferenceId, quantity }) => [id, { itemReferenceId, quantity }]),
  );
  for (const { trackingCode, trackingUrl, orderItemIds } of order.shipment?.packages ?? []) {
    if (trackingCode === null || trackingCode === '') continue;
    // A package that names no items holds those of its part.
    const named = orderItemIds.length > 0 ? orderItemIds : [...references.keys()];
    const items = named.flatMap((id) => references.get(id) ?? []);
    const { shipmentMethodUid = null, shipmentMethodName = null } = order.shipment ?? {};
    await keepPackage(
      scope,
      manager,
      { serviceOrderId: order.id, trackingCode, trackingUrl, shipmentMethodUid, shipmentMethodName, items },
      scope.app.now(),
    );
  }
}

/**
 * Keeps a tracking code once, with every item known to be in it. Packages are a set: their order of arrival does not matter.
 * `confirmedAt` null: only an event reported it. `hint` follows the line of the timeline. A URL that is not https is dropped, its code kept.
 */
export async function keepPackage(
  scope: Pick<SubmitScope, 'printOrder'>,
  manager: EntityManager,
  seen: SeenPackage,
  confirmedAt: Date | null,
  hint = '',
): Promise<void> {
  const { printOrder } = scope;
  const trackingCode = seen.trackingCode.trim();
  if (trackingCode === '') return;
  if (!isWithin(trackingCode, LONGEST_CODE)) return noteTooLong(scope, manager, trackingCode);
  const trackingUrl = toHttpsUrl(seen.trackingUrl);
  const rows: { id: string; fresh: boolean }[] = await manager.query(
    `insert into packages (print_order_id, service_order_id, tracking_code, tracking_url, shipment_method_uid, shipment_method_name, confirmed_at)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (print_order_id, service_order_id, tracking_code) do update set
       confirmed_at = coalesce(packages.confirmed_at, excluded.confirmed_at),
       tracking_url = case when excluded.confirmed_at is null then packages.tracking_url else coalesce(excluded.tracking_url, packages.tracking_url) end,
       shipment_method_uid = coalesce(packages.shipment_method_uid, excluded.shipment_method_uid),
       shipment_method_name = coalesce(packages.shipment_method_name, excluded.shipment_method_name)
     returning id, (xmax = 0) as fresh`,
    [
      printOrder.id,
      seen.serviceOrderId,
      trackingCode,
      trackingUrl,
      seen.shipmentMethodUid,
      seen.shipmentMethodName,
      confirmedAt,
    ],
  );
  const [row] = rows;
  if (!row) return;
  const added = await keepItems(manager, row.id, seen.items);
  // An item that is new in a package that was pushed has to be pushed too.
  if (added && !row.fresh) await manager.query('update packages set pushed_at = null where id = $1', [row.id]);
  if (!row.fresh) return;
  const items = seen.items.map(({ itemReferenceId }) => itemReferenceId);
  await note(scope, manager, 'tracking', `${printOrder.reference} has ${sayCodes([trackingCode])}.${hint}`, {
    trackingCode,
    items,
    serviceOrderId: seen.serviceOrderId,
  });
}

async function keepItems(manager: EntityManager, packageId: string, items: SeenPackage['items']): Promise<boolean> {
  let added = false;
  for (const { itemReferenceId, quantity } of items) {
    const rows: { fresh: boolean }[] = await manager.query(
      `insert into package_items (package_id, item_reference_id, quantity) values ($1, $2, $3)
       on conflict (package_id, item_reference_id) do update set quantity = coalesce(excluded.quantity, package_items.quantity)
       returning (xmax = 0) as fresh`,
      [packageId, itemReferenceId, quantity !== null && quantity > 0 ? quantity : null],
    );
    added ||= rows[0]?.fresh ?? false;
  }
  return added;
}

/** Said once of a print order, however often the service shows it: its items are as shipped without tracking. */
async function noteTooLong(
  scope: Pick<SubmitScope, 'printOrder'>,
  manager: EntityManager,
  trackingCode: string,
): Promise<void> {
  const kind = 'tracking_dropped';
  if (await manager.existsBy(TimelineEntries, { printOrderId: scope.printOrder.id, kind })) return;
  const message = `Platen cannot keep ${sayCodes([trackingCode])}: it has more than ${LONGEST_CODE} characters.`;
  await note(scope, manager, kind, message, {});
}

function toHttpsUrl(url: string | null): string | null {
  if (url === null || url.length > LONGEST_URL) return null;
  if (URL.parse(url)?.protocol !== 'https:') return null;
  const escaped = url.trim().replace(NOT_IN_URL, encodeURIComponent);
  return escaped.length > LONGEST_URL || !URL.canParse(escaped) ? null : escaped;
}

async function note(
  { printOrder }: Pick<SubmitScope, 'printOrder'>,
  manager: EntityManager,
  kind: string,
  message: string,
  data: Record<string, unknown>,
): Promise<void> {
  const { shopId, storefrontOrderId, id: printOrderId } = printOrder;
  await writeTimeline(manager, { shopId, storefrontOrderId, printOrderId, kind, message, data, by: 'print service' });
}
