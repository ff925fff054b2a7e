import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import type { VariantInStore } from '../../database/entities/variants-in-store.ts';
import type { AdminApi } from '../../shopify/admin/admin-api.ts';
import type { Candidate } from './read-variants.ts';
import type { VariantPolicy } from './mark-due.ts';

/** A variant that is due for a check, with its stored state. */
export type DueVariant = VariantInStore &
  Candidate & {
    dueAt: Date;
    /** The connection's last change, as PostgreSQL text, which is more precise than a `Date`. Null if the variant has no connection. */
    connectionUpdatedAt: string | null;
  };

/** The data that the steps of one job share. */
export interface VariantSyncContext {
  app: App;
  shop: Shop;
  admin: AdminApi;
  aims: VariantPolicy;
  /** Whether the shop is leaving, so that all of Platen's changes are undone. */
  leaves: boolean;
  /** Whether Platen has no location in the store. If so, variants that Platen made unsellable are restored, and nothing else is changed. */
  isLost: boolean;
  /**
   * The aims that the store's permissions allow. `stocks` needs the permission to read shipping rates, and `hides` needs the permission to
   * change variants.
   */
  granted: VariantPolicy;
  /** The IDs of the delivery profiles without rates for the location, read once per job. */
  withoutRates: () => Promise<ReadonlySet<string>>;
}
