import type { Finding } from './finding.ts';
import { holdCodesOf, skuOfItem, sumUnits, unitsFulfilled, type OrderBooks } from './order-books.ts';
import type { Units } from '../orders/planned-order.ts';
import type { StoreRecord } from './read-books.ts';

type Found = Omit<Finding, 'order'>;
type Fulfillment = StoreRecord['fulfillments'][number];

/** A tracking code and the units in its package. */
interface Parcel {
  code: string;
  units: Units;
}

/** Checks that the store shows each package once, with the correct lines, and has notified the buyer once. */
export function checkTracking(order: OrderBooks): Found[] {
  const parcels = parcelsOf(order);
  const fulfillments = order.store?.fulfillments ?? [];
  return [
    ...fulfillments.flatMap((fulfillment) => checkFulfillment(order, fulfillment, parcels)),
    ...parcels.flatMap((parcel) => checkParcel(order, parcel)),
    ...findTwiceFulfilled(order),
    ...fulfillments
      .filter(({ notifications }) => notifications > 1)
      .map(({ id, notifications }): Found => ({
        kind: 'doubleNotifications',
        evidence: `${notifications} emails for ${id}`,
      })),
  ];
}

function parcelsOf({ store, live }: OrderBooks): Parcel[] {
  return live.flatMap(({ items, shipment }) =>
    shipment.packages.map(({ orderItemIds, trackingCode }) => {
      const within = items.filter(({ id }) => orderItemIds.includes(id));
      const units = sumUnits(within.map((item) => [skuOfItem(store, item) ?? item.productUid, item.quantity]));
      return { code: trackingCode, units };
    }),
  );
}

/**
 * Checks that a fulfillment has exactly its packages' lines. The fulfillment must also have all units of these lines unless the order was
 * changed or is held.
 */
function checkFulfillment(order: OrderBooks, fulfillment: Fulfillment, parcels: readonly Parcel[]): Found[] {
  const { id, lines, trackingCodes } = fulfillment;
  if (trackingCodes.length === 0) return [{ kind: 'wrongTracking', evidence: `${id} has no tracking code` }];
  const strange = trackingCodes.filter((code) => !parcels.some((parcel) => parcel.code === code));
  if (strange.length > 0) {
    return [{ kind: 'wrongTracking', evidence: `${id} has ${strange.join(', ')}, which no package of the order has` }];
  }
  const packed = parcels.filter(({ code }) => trackingCodes.includes(code));
  const within = sumUnits(packed.flatMap(({ units }) => Object.entries(units)));
  const shown = sumUnits(lines.map(({ sku, quantity }) => [sku ?? '', quantity]));
  const isLess = order.placed.change !== null || holdCodesOf(order).length > 0;
  const isRight = [...new Set([...Object.keys(within), ...Object.keys(shown)])].every((sku) => {
    const [has, should] = [shown[sku] ?? 0, within[sku] ?? 0];
    return has === should || (isLess && has < should);
  });
  if (isRight) return [];
  const evidence = `${id} shows ${say(shown)} with ${trackingCodes.join(', ')}, which have ${say(within)}`;
  return [{ kind: 'wrongTracking', evidence }];
}

/** Checks that a package is in one fulfillment with one email. The package may be missing only if the order is held or was changed. */
function checkParcel(order: OrderBooks, { code, units }: Parcel): Found[] {
  const shownBy = (order.store?.fulfillments ?? []).filter(({ trackingCodes }) => trackingCodes.includes(code));
  const ids = shownBy.map(({ id }) => id).join(', ');
  if (shownBy.length === 0) {
    const mayLack = order.placed.change !== null || holdCodesOf(order).length > 0;
    return mayLack ? [] : [{ kind: 'wrongTracking', evidence: `${code} with ${say(units)} is missing in the store` }];
  }
  if (shownBy.length === 1) return [];
  const mails = shownBy.reduce((sum, { notifications }) => sum + notifications, 0);
  return [
    { kind: 'doubledFulfillments', evidence: `${code} is in ${ids}` },
    ...(mails > 1 ? [{ kind: 'doubleNotifications' as const, evidence: `${mails} emails about ${code}: ${ids}` }] : []),
  ];
}

/** Finds lines with more fulfilled units than were ever ordered. */
function findTwiceFulfilled({ placed, store }: OrderBooks): Found[] {
  return Object.entries(unitsFulfilled(store)).flatMap(([sku, count]): Found[] => {
    const ordered = Math.max(placed.wants[sku] ?? 0, placed.change?.wants[sku] ?? 0);
    if (count <= ordered) return [];
    const of = (store?.fulfillments ?? []).filter(({ lines }) => lines.some((line) => line.sku === sku));
    const evidence = `${count} of ${sku} fulfilled, ${ordered} ordered: ${of.map(({ id }) => id).join(', ')}`;
    return [{ kind: 'doubledFulfillments', evidence }];
  });
}

function say(units: Units): string {
  return Object.entries(units)
    .map(([sku, quantity]) => `${quantity} ${sku}`)
    .join(', ');
}
