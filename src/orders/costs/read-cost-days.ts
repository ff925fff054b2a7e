import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { clockOf, dayOf, startOfDay } from '../facts/shop-clock.ts';
import { iterateCosts } from './list-costs.ts';
import { CostTotals, type CostSums } from './total-costs.ts';

/** The costs and margins of the last 30 days' print orders, by the day on which they were ordered at the print service. */
export interface CostDays {
  /** The currency of most print orders with a known margin, or the shop's currency. All amounts are in this currency. */
  currency: string;
  /** The other currencies of the period, whose print orders are not in the sums. */
  otherCurrencies: string[];
  /** The days in the shop's time zone, oldest first. */
  days: ({ day: string } & CostSums)[];
  total: CostSums;
  /** The number of print orders without a known margin. */
  unknown: number;
  /** False if the shop has more than 10,000 print orders in the period. The sums then include only the latest 10,000. */
  isWhole: boolean;
}

const DAYS = 30;
const DAY_MS = 86_400_000;
/** Larger pages need fewer statements, but the process handles no other request while it adds up a page. */
const PAGE = 250;
/** The limit bounds the time of one request. */
const MOST = 10_000;

/** Reads a shop's costs and margins by day. */
export async function readCostDays(
  app: App,
  shop: Pick<Shop, 'id' | 'timeZone' | 'currency'>,
  { most = MOST }: { most?: number } = {},
): Promise<CostDays> {
  const { timeZone } = shop;
  const days = lastDays(dayOf(app.clock.now(), timeZone));
  const period = { since: startOfDay(days[0] ?? '', timeZone), until: null };
  const toDay = dayIn(timeZone);
  const [total, byDay] = [new CostTotals(), new Map<string, CostTotals>()];
  let read = 0;
  for await (const costs of iterateCosts(app, shop, period, PAGE)) {
    if (read === most) return toShownSums(shop, days, { total, byDay, isWhole: false });
    read += 1;
    const day = toDay(costs.orderedAt);
    const ofDay = byDay.get(day) ?? new CostTotals();
    byDay.set(day, ofDay);
    for (const totals of [total, ofDay]) totals.add(costs);
  }
  return toShownSums(shop, days, { total, byDay, isWhole: true });
}

/** Returns the 30 calendar days up to and including the given day. UTC is only used to count days. */
function lastDays(last: string): string[] {
  const end = Date.parse(`${last}T00:00:00Z`);
  return Array.from({ length: DAYS }, (_, index) =>
    new Date(end - (DAYS - 1 - index) * DAY_MS).toISOString().slice(0, 10),
  );
}

/** Returns a function that finds the day of a moment. The function reuses one clock, because creating a clock is slow. */
function dayIn(timeZone: string | null): (moment: string) => string {
  const clock = clockOf(timeZone ?? 'UTC');
  return (moment) => {
    const at = Date.parse(moment);
    return new Date(at + clock(at)).toISOString().slice(0, 10);
  };
}

function toShownSums(
  { currency: own }: Pick<Shop, 'currency'>,
  days: readonly string[],
  { total, byDay, isWhole }: { total: CostTotals; byDay: ReadonlyMap<string, CostTotals>; isWhole: boolean },
): CostDays {
  const [currency = own, ...otherCurrencies] = total.currencies();
  const none = new CostTotals();
  return {
    currency,
    otherCurrencies,
    days: days.map((day) => ({ day, ...(byDay.get(day) ?? none).sumsIn(currency) })),
    total: total.sumsIn(currency),
    unknown: total.unknown,
    isWhole,
  };
}
