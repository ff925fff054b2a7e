import { LRUCache } from 'lru-cache';
import type { DataSource } from 'typeorm';
import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { readShopForInstall } from '../../shopify/calls/shop.ts';
import { openAdmin } from '../../shops/tokens/tokens.ts';

/** How long a shop's country is cached. An import checks thousands of links, and a shop rarely moves. */
const CACHED_MS = 10 * 60_000;
const MAX_CACHED = 1_000;

type Countries = LRUCache<number, string, { app: App; domain: string }>;

/** The countries read in this process, keyed by the app's database. */
const known = new WeakMap<DataSource, Countries>();

/**
 * Reads a shop's country (ISO 3166-1 alpha-2) from its store, cached for ten minutes. Returns null if the store has no country. Throws the
 * same errors as `openAdmin` and its calls.
 */
export async function readShopCountry(app: App, { id, domain }: Pick<Shop, 'id' | 'domain'>): Promise<string | null> {
  return (await countriesOf(app).fetch(id, { context: { app, domain } })) ?? null;
}

function countriesOf(app: App): Countries {
  const kept = known.get(app.db);
  if (kept) return kept;
  // Parallel checks share one request to the store.
  const countries: Countries = new LRUCache({
    max: MAX_CACHED,
    ttl: CACHED_MS,
    perf: { now: app.clock.ticks },
    fetchMethod: async (id, _stale, { context }) => {
      const admin = await openAdmin(context.app, { id, domain: context.domain }, { isBulk: true });
      return (await readShopForInstall(admin)).countryCode ?? undefined;
    },
  });
  known.set(app.db, countries);
  return countries;
}
