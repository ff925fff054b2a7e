import { parseArgs } from 'node:util';
import type { Shop } from '../database/shops.ts';
import { exportCosts } from '../orders/costs/export-costs.ts';
import { allCosts, parsePeriod, type ListedCosts } from '../orders/costs/list-costs.ts';
import { CostTotals } from '../orders/costs/total-costs.ts';
import { dayOf } from '../orders/shop-clock.ts';
import { findShopArgument } from './find-shop-argument.ts';
import { withApp } from './open-app.ts';
import { printJsonList } from './print-json-list.ts';
import { printTable } from './print-table.ts';
import { printTexts } from './print-texts.ts';
import { UsageError } from './usage-error.ts';

const HEADINGS = ['ORDER', 'PRINT ORDER', 'ORDERED', 'QUOTED', 'CHARGED', 'PAID', 'MARGIN'];

/** `platen orders costs SHOP [--since DAY] [--until DAY] [--json | --csv]` */
export async function ordersCosts(args: string[]): Promise<void> {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  const options = { since: text, until: text, json: flag, csv: flag };
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const [domain, ...rest] = positionals;
  if (domain === undefined || rest.length > 0) throw new UsageError('Which shop? Give its domain.');
  if (values.json && values.csv) throw new UsageError('Give --json or --csv, not both.');
  await withApp(async (app) => {
    const shop = await findShopArgument(app, domain);
    const period = parsePeriod({ since: values.since ?? null, until: values.until ?? null }, shop);
    if (values.csv) return printTexts(exportCosts(app, shop, period));
    const costs = allCosts(app, shop, period);
    if (values.json) return printJsonList(costs);
    const totals = new CostTotals();
    const rows: string[][] = [];
    for await (const row of costs) {
      totals.add(row);
      rows.push(toRow(row, shop));
    }
    printTable(HEADINGS, rows);
    for (const line of totals.describe()) console.log(line);
  });
}

function toRow(
  { order, reference, orderedAt, quoted, charged, paid, margin, unknown }: ListedCosts,
  { timeZone }: Pick<Shop, 'timeZone'>,
): string[] {
  const left = margin
    ? `${show(margin.amount, margin.currency)}${percent(margin.percent)}`
    : `? ${unknown?.message ?? ''}`;
  const money = (sum: { total: string | null; currency: string } | null): string =>
    sum === null || sum.total === null ? '?' : show(sum.total, sum.currency);
  return [order, reference, dayOf(new Date(orderedAt), timeZone), money(quoted), money(charged), money(paid), left];
}

function show(amount: string, currency: string): string {
  return `${amount} ${currency}`;
}

function percent(value: string | null): string {
  return value === null ? '' : ` (${value} %)`;
}
