import type { FulfillmentOrder, Order, Shop } from '../state.ts';

const READABLE_MS = 60 * 24 * 3600 * 1000;

/** What granted scopes allow: a write scope includes the read scope of its name. */
export function allowedScopes(granted: readonly string[]): Set<string> {
  return new Set(granted.flatMap((scope) => [scope, scope.replace(/^write_/, 'read_')]));
}

/** Granted scopes as a token answer lists them: a read scope that a write scope includes is left out. */
export function toScopeText(granted: readonly string[]): string {
  return granted
    .filter((scope) => !scope.startsWith('read_') || !granted.includes(scope.replace('read_', 'write_')))
    .join(',');
}

/** The scopes any of which opens a fulfillment order, by what kind of location it is at. */
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

/** Whether the app may read an order: one older than 60 days only with `read_all_orders`. */
export function isOrderReadable(scopes: ReadonlySet<string>, { createdAt, imported }: Order): boolean {
  return scopes.has('read_all_orders') || imported === true || Date.parse(createdAt) > Date.now() - READABLE_MS;
}
