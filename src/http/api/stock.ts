import type { Middleware } from 'koa';
import type { App } from '../../app.ts';
import { InvalidInputError } from '../../errors.ts';
import { listStock } from '../../products/stock/list-stock.ts';
import { readAfter } from '../read-after.ts';
import { sessionShop } from '../sign-in/session-token.ts';

/** `GET /api/stock?out=true&after=`: the print service's stock of the products in the shop's print links, 100 per page. */
export function getStock(app: App): Middleware {
  return async (ctx) => {
    const { out = 'false' } = ctx.query;
    if (out !== 'true' && out !== 'false') throw new InvalidInputError('out', 'out: must be true or false.');
    ctx.body = await listStock(app, sessionShop(ctx), { onlyOut: out === 'true', after: readAfter(ctx, 'uid') });
  };
}
