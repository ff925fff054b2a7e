import type { Middleware } from 'koa';
import type { App } from '../../app.ts';
import { listTemplates, toShownTemplate } from '../../products/templates/list-templates.ts';
import { readTemplate } from '../../products/templates/read-template.ts';
import { readAfter } from '../read-after.ts';
import { sessionShop } from '../sign-in/session-token.ts';

/** `GET /api/templates?after=`: the templates of the shop's print account, 20 per page, with fresh preview URLs, because preview URLs expire. */
export function getTemplates(app: App): Middleware {
  return async (ctx) => {
    ctx.body = await listTemplates(app, sessionShop(ctx), { after: readAfter(ctx, 'id') });
  };
}

/** `GET /api/templates/:templateId`: one template, even if Platen has not stored it yet. */
export function getTemplate(app: App): Middleware {
  return async (ctx) => {
    const { templateId = '' } = ctx['params'] as Record<string, string>;
    ctx.body = toShownTemplate(await readTemplate(app, sessionShop(ctx), templateId));
  };
}
