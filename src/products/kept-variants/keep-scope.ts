import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import type { VariantInStore } from '../../database/entities/variants-in-store.ts';
import type { AdminApi } from '../../shopify/admin/admin-api.ts';
import type { Candidate } from './look-at-variants.ts';
import type { Aims } from './mark-due.ts';

/** A variant that is due, with what is known of it. */
export type DueVariant = VariantInStore &
  Candidate & {
    dueAt: Date;
    /** When its connection was last changed, as PostgreSQL writes it, which is more exact than a `Date`; null: nothing is known of it. */
    connectionUpdatedAt: string | null;
  };

/** What the steps of one job share. */
export interface KeepScope {
  app: App;
  shop: Shop;
  admin: AdminApi;
  aims: Aims;
  /** The shop is left: all that was set is taken back. */
  leaves: boolean;
  /** Platen has no location in the store: what is unsellable is put back, and nothing else is done. */
  isLost: boolean;
  /** What the store gives the permissions for: to see whether checkouts would find shipping, and to say how a variant is sold. */
  granted: Aims;
  /** The ids of the delivery profiles without rates for the location, asked for once. */
  withoutRates: () => Promise<ReadonlySet<string>>;
}
