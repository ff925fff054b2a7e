import { In, MoreThan } from 'typeorm';
import { levelOf } from '../../log.ts';
import type { App } from '../../app.ts';
import { Shops } from '../../database/entities/shops.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { openAdmin } from './tokens.ts';

const PAGE_SIZE = 500;

/** Renews the tokens of inactive shops, because a refresh token that is unused for 90 days expires. */
export async function refreshTokens(app: App): Promise<void> {
  let page: Pick<Shop, 'id' | 'domain'>[];
  let lastId = 0;
  do {
    page = await app.db.manager.find(Shops, {
      select: { id: true, domain: true },
      where: { state: In(['installed', 'leaving']), id: MoreThan(lastId) },
      order: { id: 'ASC' },
      take: PAGE_SIZE,
    });
    for (const shop of page) await refreshToken(app, shop);
    lastId = page.at(-1)?.id ?? lastId;
  } while (page.length === PAGE_SIZE);
}

async function refreshToken(app: App, shop: Pick<Shop, 'id' | 'domain'>): Promise<void> {
  try {
    await openAdmin(app, shop, { whileLeaving: true });
  } catch (error) {
    app.log[levelOf(error)]({ shopId: shop.id, error }, 'a token of a shop could not be renewed');
  }
}
