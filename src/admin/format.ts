import { currentLocale } from './texts/texts.ts';

let timeZone = 'UTC';

/** Sets the shop's time zone for all dates. */
export function setTimeZone(zone: string): void {
  timeZone = zone;
}

export function formatTime(moment: string): string {
  return formatWith(moment, { dateStyle: 'medium', timeStyle: 'short' });
}

/** Formats a time with seconds, so that it can be compared with the records of other systems. */
export function formatTimeWithSeconds(moment: string): string {
  return formatWith(moment, { dateStyle: 'medium', timeStyle: 'medium' });
}

export function formatDay(moment: string): string {
  return formatWith(moment, { dateStyle: 'medium' });
}

/** Formats a calendar day, which has no time zone. */
export function formatDate(day: string): string {
  if (Number.isNaN(Date.parse(`${day}T00:00:00Z`))) return day;
  return new Intl.DateTimeFormat(currentLocale(), { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(
    new Date(`${day}T00:00:00Z`),
  );
}

function formatWith(moment: string, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(currentLocale(), { ...options, timeZone }).format(new Date(moment));
}

/** Returns the calendar day of a moment in the shop's time zone, as YYYY-MM-DD. */
export function toShopDay(moment: string): string {
  // The Swedish locale formats dates as YYYY-MM-DD.
  return new Intl.DateTimeFormat('sv', { timeZone }).format(new Date(moment));
}

/** Returns the moment at which a day begins in the shop's time zone. Returns the text itself if it is not a day. */
export function startOfDay(day: string): string {
  const guess = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(guess)) return day;
  // The offset at midnight UTC may differ from the offset at the start of the shop's day, so it is computed again for that time.
  const first = guess - offsetAt(guess);
  return new Date(guess - offsetAt(first)).toISOString();
}

/** Returns the offset of the shop's time zone from UTC at a moment, in milliseconds. */
function offsetAt(moment: number): number {
  const parts = new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'medium' }).format(moment);
  return Date.parse(`${parts.replace(' ', 'T')}Z`) - moment;
}

export function formatNumber(value: number): string {
  return new Intl.NumberFormat(currentLocale()).format(value);
}

/** Formats a percentage with at most one decimal place. */
export function formatPercent(percent: number): string {
  const style = { style: 'percent', maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(currentLocale(), style).format(percent / 100);
}

/** Formats an amount. If the amount is empty or the currency is not a valid code, returns both unchanged instead of throwing an error. */
export function formatMoney(amount: string, currency: string): string {
  if (amount === '' || !/^[A-Z]{3}$/.test(currency)) return `${amount} ${currency}`.trim();
  return new Intl.NumberFormat(currentLocale(), { style: 'currency', currency }).format(Number(amount));
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** Formats a duration with its largest unit. */
export function formatDuration(seconds: number): string {
  const [unit, size] = UNITS.find(([, one]) => seconds >= one) ?? UNITS[3];
  const maximumFractionDigits = unit === 'second' || unit === 'minute' ? 0 : 1;
  return new Intl.NumberFormat(currentLocale(), {
    style: 'unit',
    unit,
    unitDisplay: 'long',
    maximumFractionDigits,
  }).format(seconds / size);
}

/** Formats a duration that is often shorter than a second. */
export function formatMilliseconds(milliseconds: number): string {
  if (milliseconds >= 60_000) return formatDuration(milliseconds / 1000);
  const style = { style: 'unit', unitDisplay: 'short' } as const;
  if (milliseconds < 1000)
    return new Intl.NumberFormat(currentLocale(), { ...style, unit: 'millisecond' }).format(milliseconds);
  const seconds = new Intl.NumberFormat(currentLocale(), { ...style, unit: 'second', maximumFractionDigits: 1 });
  return seconds.format(milliseconds / 1000);
}

/** Returns the number at the end of a store ID such as `gid://shopify/Order/1`. */
export function toNumericId(gid: string): string {
  return gid.slice(gid.lastIndexOf('/') + 1);
}
