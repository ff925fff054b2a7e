import { randomUUID } from 'node:crypto';
import type { AdminApi } from '../admin/admin-api.ts';
import { ActivateInventoryDocument } from '../generated/operations.ts';

/** Stocks an item at a location, so that orders of it are routed there. An item that is stocked there stays as it is. */
export async function activateInventory(admin: AdminApi, inventoryItemId: string, locationId: string): Promise<void> {
  await admin.request(ActivateInventoryDocument, { inventoryItemId, locationId, key: randomUUID() });
}
