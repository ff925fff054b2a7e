import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { exportCosts } from '../../orders/costs/export-costs.ts';
import { iterateCosts, parsePeriod, type ListedCosts } from '../../orders/costs/list-costs.ts';
import { CostTotals } from '../../orders/costs/total-costs.ts';
import { dayOf } from '../../orders/facts/shop-clock.ts';
import { writeLine, writeTexts, writeJsonList, writeTable } from '../../terminal.ts';
import { UsageError } from '../usage-error.ts';

const HEADINGS = ['ORDER', 'PRINT ORDER', 'ORDERED', 'QUOTED', 'CHARGED', 'PAID', 'MARGIN'];

/** `platen orders costs`: shows the costs of a shop's print orders in a period, as a table, JSON or CSV. */
export async function ordersCosts(
  { since, until, json, csv }: { since: string | undefined; until: string | undefined; json: boolean; csv: boolean },
  app: App,
  shop: Shop,
): Promise<void> {
  if (json && csv) throw new UsageError('Use either --json or --csv, not both.');
  const period = parsePeriod({ since: since ?? null, until: until ?? null }, shop);
  if (csv) return writeTexts(exportCosts(app, shop, period));
  const costs = iterateCosts(app, shop, period);
  if (json) return writeJsonList(costs);
  const totals = new CostTotals();
  const rows: string[][] = [];
  for await (const row of costs) {
    totals.add(row);
    rows.push(toRow(row, shop));
  }
  writeTable(HEADINGS, rows);
  totals.describe().forEach(writeLine);
}

function toRow(
  { order, reference, orderedAt, quoted, charged, paid, margin, unknown }: ListedCosts,
  { timeZone }: Pick<Shop, 'timeZone'>,
): string[] {
  const marginText = margin
    ? `${formatAmount(margin.amount, margin.currency)}${formatPercent(margin.percent)}`
    : `? ${unknown?.message ?? ''}`;
  const money = (sum: { total: string | null; currency: string } | null): string =>
    sum === null || sum.total === null ? '?' : formatAmount(sum.total, sum.currency);
  return [
    order,
    reference,
    dayOf(new Date(orderedAt), timeZone),
    money(quoted),
    money(charged),
    money(paid),
    marginText,
  ];
}

function formatAmount(amount: string, currency: string): string {
  return `${amount} ${currency}`;
}

function formatPercent(value: string | null): string {
  return value === null ? '' : ` (${value} %)`;
}
