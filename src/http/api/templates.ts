import type { Middleware } from 'koa';
import type { App } from '../../app.ts';
import { InvalidInputError } from '../../errors.ts';
import { listTemplates, toShownTemplate } from '../../products/templates/list-templates.ts';
import { readTemplate } from '../../products/templates/read-template.ts';
import { sessionShop } from '../session-token.ts';

const DIGITS = /^[1-9]\d{0,17}$/;

/** `GET /api/templates?after=`: the templates of the shop's print account, 20 a page, with previews that are read anew. */
export function getTemplates(app: App): Middleware {
  return async (ctx) => {
    const { after = null } = ctx.query;
    if (after !== null && (typeof after !== 'string' || !DIGITS.test(after)))
      throw new InvalidInputError('after', 'after: must be what "next" of the page before says.');
    ctx.body = await listTemplates(app, sessionShop(ctx), { after });
  };
}

/** `GET /api/templates/:templateId`: one template, also one that the app has not heard of yet. */
export function getTemplate(app: App): Middleware {
  return async (ctx) => {
    const { templateId = '' } = ctx['params'] as Record<string, string>;
    ctx.body = toShownTemplate(await readTemplate(app, sessionShop(ctx), templateId));
  };
}
