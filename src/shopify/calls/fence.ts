import { z } from 'zod';
import type { AdminApi } from '../admin/admin-api.ts';
import { ShopifyError } from '../admin/errors.ts';
import { ReadFenceDocument, WriteFenceDocument, type FenceFragment } from '../generated/operations.ts';

/** The database that may act for the store, as the store knows it. */
export interface Fence {
  /** The key of the database (`installation.fence_key`). */
  key: string;
  /** How often a database has taken over the store. Each takeover has a higher epoch than the previous one. */
  epoch: number;
}

/** The store's fence as it was read. */
export interface StoreFence {
  /** The GID of the app installation, which owns the metafield. A reinstall creates another one, without a fence. */
  installationId: string;
  /** Null if no database has written a fence. A value that cannot be read counts as another database's. */
  fence: Fence | null;
  /** The digest that a write must name, so that it replaces only what was read. Null if there is no metafield. */
  compareDigest: string | null;
}

const UNREADABLE: Fence = { key: '', epoch: 0 };

const fenceSchema = z.object({ key: z.string().min(1).max(100), epoch: z.int().positive() });

/** Converts the fence from a response. */
export function toStoreFence({ id: installationId, metafield }: FenceFragment): StoreFence {
  return {
    installationId,
    fence: metafield ? (fenceSchema.safeParse(parseJson(metafield.value)).data ?? UNREADABLE) : null,
    compareDigest: metafield?.compareDigest ?? null,
  };
}

/** Reads the store's fence alone. Throws ShopifyError. */
export async function readFence(admin: AdminApi): Promise<StoreFence> {
  const { currentAppInstallation } = await admin.request(ReadFenceDocument, {});
  return toStoreFence(currentAppInstallation);
}

/** Replaces the fence that was read. Returns false if it has changed since. Needs no scope. Throws ShopifyError. */
export async function writeFence(
  admin: AdminApi,
  { installationId: ownerId, compareDigest }: StoreFence,
  fence: Fence,
): Promise<boolean> {
  const value = JSON.stringify(fence);
  const metafield = { ownerId, namespace: '$app', key: 'database', type: 'json', value, compareDigest };
  try {
    await admin.request(WriteFenceDocument, { metafields: [metafield] });
    return true;
  } catch (error) {
    // The store refuses only a fence that has changed (STALE_OBJECT).
    if (error instanceof ShopifyError && error.kind === 'user_error') return false;
    throw error;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
