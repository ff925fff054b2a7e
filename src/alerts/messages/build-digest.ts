import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { deHolds } from '../../orders/facts/hold-names/german.ts';
import { enHolds } from '../../orders/facts/hold-names/english.ts';
import type { Week, WeekPeriod } from '../read-week.ts';
import { toPageUrl, toShopName } from './app-links.ts';
import type { Message, Section } from './message.ts';
import { messageTexts } from './texts.ts';

type Fact = NonNullable<Section['facts']>[number];

const HOUR = 3_600;
const DAY = 24 * HOUR;

/** Builds the digest of a week, compared with the previous week. Returns null if the week had no orders, shipments or holds. */
export function buildDigest(
  app: Pick<App, 'config'>,
  shop: Shop,
  { period, week, before }: { period: WeekPeriod; week: Week; before: Week },
  language: Message['language'],
): Message | null {
  if (isEmpty(week)) return null;
  const { digest, settings, subjectOf: _, ...texts } = messageTexts[language];
  const [first, last] = period.days.map((day) => formatDay(day, language));
  const link = (label: string, path: string) => ({ label, url: toPageUrl(app, shop, path) });
  const costPath = `/activity?view=costs&since=${period.days[0]}&until=${period.days[1]}`;
  return {
    language,
    subject: digest.subject(toShopName(shop)),
    sections: [
      {
        title: digest.title(first ?? '', last ?? ''),
        facts: [
          { name: digest.orders, value: String(week.orders), note: digest.before(String(before.orders)) },
          toTimeFact(week, before, language),
          ...toCostFacts(week, before, language),
        ],
        ...(week.costs === null ? { texts: [digest.tooMany] } : {}),
        links: [link(digest.show, week.costs?.totals.length === 0 ? '/orders' : costPath)],
      },
      {
        title: digest.holds,
        facts: toHoldFacts(week, before, language),
        links: week.holds.open > 0 ? [link(texts.showHeld, '/orders?state=held')] : [],
      },
    ],
    footer: { text: digest.footer, link: link(settings, '/settings/alerts') },
  };
}

function isEmpty({ orders, timeToShip, costs, holds }: Week): boolean {
  const hasCosts = costs === null || costs.totals.length > 0 || costs.unknown > 0;
  return orders === 0 && timeToShip === null && holds.total === 0 && !hasCosts;
}

function toTimeFact(week: Week, before: Week, language: Message['language']): Fact {
  const { digest } = messageTexts[language];
  const show = (one: Week): string => {
    if (one.timeToShip === null) return digest.none;
    const { median } = one.timeToShip;
    const number = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
    return median < 2 * DAY ? digest.hours(number.format(median / HOUR)) : digest.days(number.format(median / DAY));
  };
  const counted = week.timeToShip === null ? [] : [digest.shipped(week.timeToShip.orders)];
  return { name: digest.timeToShip, value: show(week), note: [...counted, digest.before(show(before))].join(' · ') };
}

/** Returns the costs by currency, starting with the currency of the most print orders. Amounts in several currencies are never added up. */
function toCostFacts({ costs }: Week, before: Week, language: Message['language']): Fact[] {
  if (costs === null) return [];
  const { digest } = messageTexts[language];
  const totals = costs.totals.toSorted((one, other) => other.printOrders - one.printOrders);
  const facts = totals.flatMap((total) => {
    const old = before.costs?.totals.find(({ currency }) => currency === total.currency);
    const money = (amount: string): string =>
      new Intl.NumberFormat(language, { style: 'currency', currency: total.currency }).format(Number(amount));
    return (['charged', 'paid', 'margin'] as const).map((key): Fact => {
      const name = { charged: digest.cost, paid: digest.paid, margin: digest.margin }[key];
      return { name, value: money(total[key]), ...(old && { note: digest.before(money(old[key])) }) };
    });
  });
  if (costs.unknown === 0) return facts;
  const last = facts.at(-1);
  if (!last) return [{ name: digest.cost, value: digest.none, note: digest.unknown(costs.unknown) }];
  const note = [digest.unknown(costs.unknown), ...(last.note === undefined ? [] : [last.note])].join(' · ');
  return [...facts.slice(0, -1), { ...last, note }];
}

function toHoldFacts({ holds }: Week, before: Week, language: Message['language']): Fact[] {
  const { digest } = messageTexts[language];
  const names: Readonly<Record<string, string | undefined>> = language === 'de' ? deHolds : enHolds;
  const note = [
    ...(holds.open > 0 ? [digest.stillOpen(holds.open)] : []),
    digest.before(before.holds.total === 0 ? digest.none : String(before.holds.total)),
  ].join(' · ');
  return [
    { name: digest.total, value: holds.total === 0 ? digest.none : String(holds.total), note },
    ...holds.reasons.map(({ code, orders }) => ({ name: names[code] ?? code, value: String(orders) })),
  ];
}

function formatDay(day: string, language: Message['language']): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' }).format(
    new Date(`${day}T00:00:00Z`),
  );
}
