/** The problems that keep a shop's rates from the checkout, with their remedies. The code is saved in `shops.rates_problem`. */
const RATES_PROBLEMS = {
  plan_refuses: {
    says: 'Your plan has no app rates',
    message: "Shopify does not allow rates from apps on this store's plan.",
    steps:
      "App rates are included in the Advanced plan and above. The Shopify plan needs yearly billing or a paid add-on that Shopify Support switches on. Change the plan in the store's admin under Settings → Plan and open Platen again. Or stop offering shipping prices at checkout (the setting liveRates).",
  },
  not_in_profiles: {
    says: 'Not in a shipping profile',
    message: 'Platen can offer rates, but no shipping profile of the store uses them.',
    steps:
      "In the store's admin, open Settings → Shipping and delivery and choose the profile. In each zone, choose Add rate → Use carrier or app to calculate rates → Platen → Done, then Save. Then open Platen again.",
  },
  store_refuses: {
    says: 'Refused by the store',
    message: 'The store does not let Platen offer rates.',
    steps:
      "In the store's admin, check under Settings → Shipping and delivery whether another app offers rates under the name Platen. If so, remove it there and open Platen again. Otherwise ask the operator of Platen, whose log shows Shopify's reason.",
  },
} as const;

export type RatesProblem = keyof typeof RATES_PROBLEMS;

/** The name, meaning and remedy of a problem, for the merchant; null for an unknown code. */
export function describeRatesProblem(code: string | null): { says: string; message: string; steps: string } | null {
  const problems: Readonly<Record<string, { says: string; message: string; steps: string }>> = RATES_PROBLEMS;
  return code === null ? null : (problems[code] ?? null);
}

/** Shown for a shop that offers rates but has no fallback table. */
export const NO_FALLBACK_RATES =
  'No fallback prices are set (the setting fallbackRates). If the print service gives no prices in time, the checkout shows no Platen rates.';
