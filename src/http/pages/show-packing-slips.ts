import type { Middleware } from 'koa';
import type { App } from '../../app.ts';
import { Shops, type Shop } from '../../database/entities/shops.ts';
import { NotFoundError, PlatenError } from '../../errors.ts';
import { readPackingSlips, type PackingSlip } from '../../shipments/packing-slips/read-packing-slips.ts';
import { admitRequest, admitUnidentified } from '../limits/admit.ts';
import type { Limits } from '../limits/limits.ts';
import { expiredLinkError, readPackingSlipLink, type PackingSlipLink } from '../sign-in/packing-slip-link.ts';
import { respondWithPage } from './respond-with-page.ts';
import { setFramingShop } from './page-errors.ts';
import { renderPackingSlips } from './packing-slips/render-packing-slips.ts';

/**
 * `GET /packing-slips?shop=&orders=&locale=&expires=&signature=`: a page without scripts that prints the packing slips of these orders.
 * Only a link from `POST /api/packing-slips` has the signature. The status is 403 if the link was altered or is older than 15 minutes.
 */
export function showPackingSlips(app: App, limits: Limits): Middleware {
  return async (ctx) => {
    const link = readLink();
    setFramingShop(ctx, link.shop);
    admitRequest(limits.shops, ctx, link.shop);
    if (link.isExpired) throw expiredLinkError();
    const shop = await app.db.getRepository(Shops).findOneBy({ domain: link.shop, state: 'installed' });
    const slips = shop && (await readSlips(app, shop, link));
    if (!shop || !slips?.length) throw new NotFoundError('Platen prints no items in these orders.');
    const body = renderPackingSlips(slips, { shop, language: link.locale });
    respondWithPage(ctx, app, { framedBy: shop.domain, scripts: [], body });

    function readLink(): ReturnType<typeof readPackingSlipLink> {
      try {
        return readPackingSlipLink(app, ctx);
      } catch (error) {
        admitUnidentified(limits.unidentified, ctx);
        throw error;
      }
    }
  };
}

async function readSlips(app: App, shop: Shop, { orders }: PackingSlipLink): Promise<PackingSlip[]> {
  try {
    return await readPackingSlips(
      app,
      shop,
      orders.map((id) => `gid://shopify/Order/${id}`),
    );
  } catch (error) {
    // The next link requires a session token, with which the shop signs in again.
    if (error instanceof PlatenError && error.code === 'shop_needs_sign_in') throw expiredLinkError();
    throw error;
  }
}
