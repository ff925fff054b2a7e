import type { Context, Middleware } from 'koa';
import type { App } from '../../app.ts';
import { InvalidInputError } from '../../errors.ts';
import { exportCosts } from '../../orders/costs/export-costs.ts';
import { listCostsPage, parsePeriod, type CostsPeriod } from '../../orders/costs/list-costs.ts';
import { readCostDays } from '../../orders/costs/read-cost-days.ts';
import { totalCosts } from '../../orders/costs/total-costs.ts';
import { readAfter } from '../read-after.ts';
import { sendCsv } from '../send-csv.ts';
import { sessionShop } from '../sign-in/session-token.ts';

/** `GET /api/costs?since=&until=&after=`: a page of the shop's print orders with costs and margins, latest first. */
export function getCosts(app: App): Middleware {
  return async (ctx) => {
    const after = readAfter(ctx, 'id');
    ctx.body = await listCostsPage(app, sessionShop(ctx), { period: readPeriod(ctx), after });
  };
}

/** `GET /api/costs/days`: the costs and margins of the last 30 days, by day. */
export function getCostDays(app: App): Middleware {
  return async (ctx) => {
    ctx.body = await readCostDays(app, sessionShop(ctx));
  };
}

/**
 * `GET /api/costs/totals?since=&until=`: the period's totals by currency, and the number of print orders without a known margin. `sums` is
 * null if the period has too many print orders.
 */
export function getCostsTotals(app: App): Middleware {
  return async (ctx) => {
    ctx.body = { sums: await totalCosts(app, sessionShop(ctx), readPeriod(ctx)) };
  };
}

/** `GET /api/costs/export?since=&until=`: the costs of all the period's print orders, as a CSV file. */
export function getCostsExport(app: App): Middleware {
  return (ctx) => {
    const period = readPeriod(ctx);
    sendCsv(ctx, 'costs.csv', exportCosts(app, sessionShop(ctx), period));
  };
}

function readPeriod(ctx: Context): CostsPeriod {
  return parsePeriod(
    { since: readSingleParameter(ctx, 'since'), until: readSingleParameter(ctx, 'until') },
    sessionShop(ctx),
  );
}

/** Rejects a repeated parameter, because it is not clear which of its values applies. */
function readSingleParameter(ctx: Context, name: string): string | null {
  const value = ctx.query[name];
  if (Array.isArray(value)) throw new InvalidInputError(name, `${name}: provide this parameter only once.`);
  return value ?? null;
}
