/** Why a shop that wants rates at checkout has none, and what its owner can do about it: kept in `shops.rates_problem`. */
const RATES_PROBLEMS = {
  plan_refuses: {
    says: 'Your plan has no app rates',
    message: "Shopify refuses rates of apps on this store's plan.",
    steps:
      "Rates of apps come with the Advanced plan and above; with the Shopify plan when it is billed yearly, or as a paid addition that Shopify Support switches on. Change the plan in the store's admin under Settings → Plan and open Platen again, or switch liveRates off.",
  },
  not_in_profiles: {
    says: 'Not in a shipping profile',
    message: 'Platen can offer rates, but no shipping profile of the store asks for them.',
    steps:
      "In the store's admin open Settings → Shipping and delivery, choose the profile, and in each zone Add rate → Use carrier or app to calculate rates → Platen → Done, then Save. Open Platen again afterwards.",
  },
  store_refuses: {
    says: 'Refused by the store',
    message: 'The store does not let Platen offer rates.',
    steps:
      "Look in the store's admin under Settings → Shipping and delivery whether another app offers rates by the name Platen and remove it there, then open Platen again. If that does not help, ask whoever runs Platen: the log has Shopify's reason.",
  },
} as const;

export type RatesProblem = keyof typeof RATES_PROBLEMS;

/** What a problem is called, what it means and how it is mended, in words for the merchant; null for a code that is none. */
export function describeRatesProblem(code: string | null): { says: string; message: string; steps: string } | null {
  const problems: Readonly<Record<string, { says: string; message: string; steps: string }>> = RATES_PROBLEMS;
  return code === null ? null : (problems[code] ?? null);
}

/** What a shop lacks that offers rates without a table for the time when the print service gives no prices. */
export const NO_FALLBACK_RATES =
  'There are no fallbackRates: while the print service gives no prices in time, the checkout has no rates of Platen.';
