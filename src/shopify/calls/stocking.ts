import { randomUUID } from 'node:crypto';
import type { AdminApi } from '../admin/admin-api.ts';
import { runInHalves, sendBatch } from '../admin/batch.ts';
import {
  ActivateInventoryDocument,
  DeliveryProfileLocationsDocument,
  DeliveryProfileRatesDocument,
  ToggleInventoryDocument,
  VariantsForStockingDocument,
} from '../generated/operations.ts';
import type { DeliveryProfileRatesQuery, VariantsForStockingQuery } from '../generated/operations.ts';
import { readPages } from '../admin/read-pages.ts';

export type StockedVariant = Extract<NonNullable<VariantsForStockingQuery['nodes'][number]>, { inventoryItem: object }>;

/** Number of IDs per read. Each variant costs five points. */
export const VARIANTS_PER_CALL = 100;
/**
 * Number of mutations per call. Each mutation costs ten points, so a call uses only half of the maximum cost and leaves points in the
 * shop's bucket for its orders.
 */
export const OPERATIONS_PER_CALL = 50;

/** The store's reason for refusing a change, with its code. */
export interface Complaint {
  code: string;
  message: string;
}

/** Reads up to 100 variants by their IDs, and whether they are stocked at a location. IDs that the shop does not have are omitted. */
export async function readVariantsForStocking(
  admin: AdminApi,
  ids: readonly string[],
  locationId: string,
): Promise<StockedVariant[]> {
  if (ids.length === 0) return [];
  const { nodes } = await admin.request(VariantsForStockingDocument, { ids: [...ids], locationId });
  return nodes.filter((node): node is StockedVariant => node !== null && 'inventoryItem' in node);
}

/**
 * Stocks at most 50 items at a location, or stops stocking them. Items already in the desired state stay unchanged. Returns the reasons for
 * items that the store did not change, by item. Throws ShopifyError.
 */
export async function toggleInventory(
  admin: AdminApi,
  inventoryItemIds: readonly string[],
  { locationId, activate }: { locationId: string; activate: boolean },
): Promise<Map<string, Complaint>> {
  const complaints = new Map<string, Complaint>();
  const refused = await runInHalves(inventoryItemIds, async (some) => {
    const each = some.map((inventoryItemId) => ({ inventoryItemId, locationId, activate }));
    const answers = await sendBatch(admin, ToggleInventoryDocument, each);
    answers.forEach(({ inventoryBulkToggleActivation: payload }, at) => {
      const [first] = payload?.complaints ?? [];
      const id = some[at];
      if (first && id !== undefined)
        complaints.set(id, { code: (first.code ?? 'GENERIC_ERROR').toLowerCase(), message: first.message });
    });
  });
  for (const [id, { code, message }] of refused) complaints.set(id, { code, message });
  return complaints;
}

/** A delivery profile that has no rates from a location. */
export interface ProfileWithoutRates {
  id: string;
  name: string;
}

/**
 * Finds the delivery profiles in which a location has no rates. If a variant in such a profile is stocked only at that location, a checkout
 * with the variant offers no shipping. `readsRates`: the store permits reading rates. Without this permission, finds only profiles that do
 * not include the location.
 */
export async function findProfilesWithoutRates(
  admin: AdminApi,
  locationId: string,
  { readsRates }: { readsRates: boolean },
): Promise<ProfileWithoutRates[]> {
  const without = readsRates ? await findGroupsWithoutRates(admin, locationId) : new Set<string>();
  const found: ProfileWithoutRates[] = [];
  const read = async (after: string | null) =>
    (await admin.request(DeliveryProfileLocationsDocument, { after })).deliveryProfiles;
  for await (const { nodes } of readPages(DeliveryProfileLocationsDocument.name, null, read)) {
    for (const { id, name, unassignedLocations } of nodes)
      if (without.has(id) || unassignedLocations.some((location) => location.id === locationId))
        found.push({ id, name });
  }
  return found;
}

type Group = DeliveryProfileRatesQuery['deliveryProfiles']['nodes'][number]['profileLocationGroups'][number];

/** Reads the IDs of the profiles that have the location in a location group without a rate. */
async function findGroupsWithoutRates(admin: AdminApi, locationId: string): Promise<ReadonlySet<string>> {
  const without = new Set<string>();
  const read = async (after: string | null) =>
    (await admin.request(DeliveryProfileRatesDocument, { after })).deliveryProfiles;
  for await (const { nodes } of readPages(DeliveryProfileRatesDocument.name, null, read)) {
    for (const { id, profileLocationGroups } of nodes) {
      const groups = profileLocationGroups.filter(({ locationGroup }) =>
        locationGroup.locations.nodes.some((location) => location.id === locationId),
      );
      if (groups.length > 0 && !groups.some(hasRates)) without.add(id);
    }
  }
  return without;
}

/** One zone with an active rate is enough. If not all zones were read, the group counts as having rates. */
function hasRates({ locationGroupZones: { nodes, pageInfo } }: Group): boolean {
  const isRate = ({ active }: { active: boolean }) => active;
  return pageInfo.hasNextPage || nodes.some(({ methodDefinitions }) => methodDefinitions.nodes.some(isRate));
}

/** Stocks an item at a location, so that its orders are routed there. An item that is already stocked there stays unchanged. */
export async function activateInventory(admin: AdminApi, inventoryItemId: string, locationId: string): Promise<void> {
  await admin.request(ActivateInventoryDocument, { inventoryItemId, locationId, key: randomUUID() });
}
