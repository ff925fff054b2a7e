/** The problems that prevent a shop's rates from appearing at checkout, with their remedies. The code is saved in `shops.rates_problem`. */
const RATES_PROBLEMS = {
  plan_refuses: {
    says: 'Your plan has no app rates',
    message: "Shopify does not allow rates from apps on this store's plan.",
    steps:
      "The Advanced plan and higher plans include app rates. The Shopify plan requires yearly billing or a paid add-on that Shopify Support switches on. Change the plan in the store's admin under Settings → Plan, and open Platen again. Or stop offering shipping prices at checkout in Platen's settings.",
  },
  not_in_profiles: {
    says: 'Not in a shipping profile',
    message: 'Platen can offer rates, but no shipping profile of the store uses them.',
    steps:
      "In the store's admin, open Settings → Shipping and delivery and choose the profile. In each zone, choose Add rate → Use carrier or app to calculate rates → Platen → Done, then Save. Then open Platen again.",
  },
  store_refuses: {
    says: 'Rejected by the store',
    message: 'The store does not allow Platen to offer rates.',
    steps:
      "In the store's admin, check under Settings → Shipping and delivery whether another app offers rates under the name Platen. If so, remove it there and open Platen again. Otherwise, ask Platen's operator: the log shows Shopify's reason.",
  },
} as const;

export type RatesProblem = keyof typeof RATES_PROBLEMS;

/** Returns a problem's name, description and remedy for the merchant, or null for an unknown code. */
export function describeRatesProblem(code: string | null): { says: string; message: string; steps: string } | null {
  const problems: Readonly<Record<string, { says: string; message: string; steps: string }>> = RATES_PROBLEMS;
  return code === null ? null : (problems[code] ?? null);
}

/** Shown for a shop that offers rates but has no fallback table. */
export const NO_FALLBACK_RATES =
  'No fallback prices are set. If the print service does not return prices in time, the checkout shows no Platen rates.';
