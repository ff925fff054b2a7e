import { randomUUID } from 'node:crypto';
import type { AdminApi } from '../admin/admin-api.ts';
import { ActivateInventoryDocument } from '../generated/operations.ts';

/** Stocks an item at a location, so that its orders are routed there. An item that is already stocked there stays unchanged. */
export async function activateInventory(admin: AdminApi, inventoryItemId: string, locationId: string): Promise<void> {
  await admin.request(ActivateInventoryDocument, { inventoryItemId, locationId, key: randomUUID() });
}
