import type { FulfillmentOrder, Order, Shop } from '../state.ts';
import type { Store } from '../store.ts';

const READABLE_MS = 60 * 24 * 3600 * 1000;

/** Returns all scopes that the granted scopes include. A write scope includes the matching read scope. */
export function allowedScopes(granted: readonly string[]): Set<string> {
  return new Set(granted.flatMap((scope) => [scope, scope.replace(/^write_/, 'read_')]));
}

/** Returns granted scopes as a token response lists them, without read scopes that a write scope includes. */
export function toScopeText(granted: readonly string[]): string {
  return granted
    .filter((scope) => !scope.startsWith('read_') || !granted.includes(scope.replace('read_', 'write_')))
    .join(',');
}

/** Returns the scopes for a fulfillment order, depending on the kind of its location. Any one of them is sufficient. */
export function scopesForFulfillmentOrder(
  shop: Shop,
  { locationId }: FulfillmentOrder,
  verb: 'read' | 'write',
): string[] {
  const service = shop.fulfillmentServices.find((one) => one.locationId === locationId);
  if (!service) return [`${verb}_merchant_managed_fulfillment_orders`];
  const anyService = `${verb}_third_party_fulfillment_orders`;
  return service.ownedByApp ? [`${verb}_assigned_fulfillment_orders`, anyService] : [anyService];
}

/** Returns whether the app may read an order. An order older than 60 days needs `read_all_orders`. */
export function isOrderReadable(
  { clock }: Store,
  scopes: ReadonlySet<string>,
  { createdAt, imported }: Order,
): boolean {
  return (
    scopes.has('read_all_orders') || imported === true || Date.parse(createdAt) > clock.now().getTime() - READABLE_MS
  );
}
