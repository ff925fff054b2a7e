import type { Middleware } from 'koa';
import { buildDocument } from '../openapi/document.ts';
import { apiRoutes } from '../openapi/routes.ts';

const HOUR = 'public, max-age=3600';

let built: string | undefined;

/** `GET /api/openapi.json`: the OpenAPI 3.1 document of this API. It needs no session token, because it contains no shop's data. */
export const getOpenApi: Middleware = (ctx) => {
  built ??= JSON.stringify(buildDocument(apiRoutes));
  ctx.set('Cache-Control', HOUR);
  ctx.type = 'application/json';
  ctx.body = built;
};
