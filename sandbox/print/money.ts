/** Fixed, approximate exchange rates: how much of each currency one USD is worth. */
const RATES: Readonly<Record<string, number>> = {
  USD: 1,
  EUR: 0.92,
  JPY: 150,
  BGN: 1.8,
  CZK: 23,
  DKK: 6.9,
  GBP: 0.79,
  HUF: 360,
  PLN: 4,
  RON: 4.6,
  SEK: 10.5,
  CHF: 0.88,
  ISK: 138,
  NOK: 10.7,
  HRK: 6.95,
  RUB: 92,
  TRY: 32,
  AUD: 1.52,
  BRL: 5.1,
  CAD: 1.36,
  CNY: 7.2,
  HKD: 7.8,
  IDR: 15_900,
  ILS: 3.7,
  INR: 83,
  KRW: 1340,
  MXN: 17,
  MYR: 4.7,
  NZD: 1.65,
  PHP: 56,
  SGD: 1.35,
  THB: 36,
  ZAR: 18.7,
  CLP: 940,
  AED: 3.67,
};
const ZERO_DECIMAL_CURRENCIES = new Set(['JPY', 'KRW', 'CLP', 'ISK']);

/** Converts an amount from USD to `currency`, rounded to the currency's smallest unit. */
export function fromDollars(dollars: number, currency: string): number {
  return roundMoney(dollars * (RATES[currency] ?? 1), currency);
}

/** Rounds `amount` to the smallest unit of `currency`. */
export function roundMoney(amount: number, currency: string): number {
  const digits = ZERO_DECIMAL_CURRENCIES.has(currency) ? 0 : 2;
  return Number(amount.toFixed(digits));
}
