import { In, MoreThan } from 'typeorm';
import type { App } from '../../app.ts';
import { Shops } from '../../database/entities/shops.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { PlatenError } from '../../errors.ts';
import { ShopifyError } from '../../shopify/admin/errors.ts';
import { refreshGrantedScopes } from './scopes.ts';

const PAGE_SIZE = 500;

/** The result of checking a store's stored tokens: the store accepts them, rejects all of them or did not respond. */
export interface CheckedStore {
  domain: string;
  answer: 'works' | 'needs_sign_in' | 'unavailable';
}

/** For each store that uses Platen, one after another, checks whether the store accepts its tokens in this database. */
export async function* checkStores(app: App): AsyncGenerator<CheckedStore> {
  let page: Pick<Shop, 'id' | 'domain' | 'state'>[];
  let lastId = 0;
  do {
    page = await app.db.manager.find(Shops, {
      select: { id: true, domain: true, state: true },
      where: { state: In(['installed', 'needs_sign_in']), id: MoreThan(lastId) },
      order: { id: 'ASC' },
      take: PAGE_SIZE,
    });
    for (const shop of page) yield { domain: shop.domain, answer: await checkStore(app, shop) };
    lastId = page.at(-1)?.id ?? lastId;
  } while (page.length === PAGE_SIZE);
}

/** Checks whether one store accepts its tokens. If it does, also stores the scopes that the store currently grants. */
export async function checkStore(
  app: App,
  shop: Pick<Shop, 'id' | 'domain' | 'state'>,
): Promise<CheckedStore['answer']> {
  if (shop.state === 'needs_sign_in') return 'needs_sign_in';
  try {
    await refreshGrantedScopes(app, shop);
    return 'works';
  } catch (error) {
    if (error instanceof PlatenError && error.code === 'shop_needs_sign_in') return 'needs_sign_in';
    if (error instanceof ShopifyError) return 'unavailable';
    throw error;
  }
}
