/** A rule for `POST /_control/faults` of a stand-in. */
type Rule = Record<string, string | number>;

/** The settings of both stand-ins: their faults, and how they deliver webhooks. */
interface ChaosFaults {
  print: object[];
  store: object[];
  printWebhooks: object;
  storeWebhooks: object;
}

/** A way in which a request fails, with its share of all failing requests. */
type Break = Rule & { share: number };

/** Failures of requests that change something: before the effect, after the effect or with a late effect. */
const WRITE_FAILURES: readonly Break[] = [
  { share: 0.12, kind: 'status', status: 500, effect: 'none' },
  { share: 0.14, kind: 'status', status: 500, effect: 'done' },
  { share: 0.06, kind: 'status', status: 502, effect: 'done' },
  { share: 0.05, kind: 'status', status: 503, effect: 'none' },
  { share: 0.08, kind: 'status', status: 503, effect: 'late', lateMs: 1_900 },
  { share: 0.06, kind: 'status', status: 429, effect: 'none', retryAfter: 1 },
  { share: 0.06, kind: 'status', status: 429, effect: 'none' },
  { share: 0.13, kind: 'reset', effect: 'done' },
  { share: 0.04, kind: 'reset', effect: 'none' },
  { share: 0.06, kind: 'reset', effect: 'late', lateMs: 800 },
  { share: 0.05, kind: 'timeout', effect: 'late', lateMs: 1_500 },
  { share: 0.03, kind: 'timeout', effect: 'done' },
  { share: 0.03, kind: 'timeout', effect: 'none' },
  { share: 0.09, kind: 'truncate', effect: 'done' },
];

const READ_FAILURES: readonly Break[] = [
  { share: 0.24, kind: 'status', status: 500, effect: 'none' },
  { share: 0.14, kind: 'status', status: 502, effect: 'none' },
  { share: 0.14, kind: 'status', status: 503, effect: 'none' },
  { share: 0.1, kind: 'status', status: 429, effect: 'none', retryAfter: 1 },
  { share: 0.1, kind: 'status', status: 429, effect: 'none' },
  { share: 0.13, kind: 'reset', effect: 'none' },
  { share: 0.05, kind: 'timeout', effect: 'none' },
  { share: 0.1, kind: 'truncate', effect: 'done' },
];

/** Reads fail half as often as writes. Each create request is preceded by a search, so no order would progress without successful reads. */
const READ_SHARE = 0.5;

const PRINT_WRITES = [
  { method: 'POST', path: '/v3/orders' },
  { method: 'PATCH', path: '/v4/orders/' },
  { method: 'DELETE', path: '/v4/orders/' },
  { method: 'POST', path: '/v4/orders/' },
];
const PRINT_READS = [
  { method: 'GET', path: '/v4/orders/' },
  { method: 'POST', path: '/v4/orders:search' },
  { method: 'POST', path: '/v4/orders:quote' },
];

/** The mutations and queries that processing an order needs. A test compares them with the app's GraphQL documents. */
export const STORE_WRITES = [
  'CreateFulfillment',
  'UpdateFulfillmentTracking',
  'RequestFulfillment',
  'AcceptFulfillmentRequest',
  'RejectFulfillmentRequest',
  'AcceptCancellationRequest',
  'RejectCancellationRequest',
  'CloseFulfillmentOrder',
  'HoldFulfillmentOrder',
  'ReleaseFulfillmentHold',
  'ReportProgress',
  'CreateFulfillmentEvent',
] as const;
export const STORE_READS = [
  'OrderForPlan',
  'OrderLineItems',
  'OrderFulfillmentOrders',
  'OrdersUpdatedSince',
  'AssignedFulfillmentOrders',
  'OrderOfFulfillmentOrder',
  'FulfillmentOrderLineItems',
  'FulfillmentLineItems',
  'FulfillmentOrderActions',
  'FulfillmentEvents',
] as const;

/** Shopify's eight retries over four hours, shortened for a run. */
const RETRY_MS = [500, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000, 60_000];

/**
 * Returns faults for a share of about `rate` (0 to 0.9) of the requests that change something, and for half that share of the reads. The
 * effect comes before the failure, up to 2 s after it, or never. Searches lag up to 1 s. Webhooks are dropped, duplicated and reordered.
 * `seed` determines the stand-ins' random choices. With a rate of 0, nothing fails and nothing lags.
 */
export function toFaults(rate: number, seed: number): ChaosFaults {
  if (rate === 0) {
    const calm = { drop: 0, duplicate: 0, shuffleMs: 0 };
    return { print: [], store: [], printWebhooks: calm, storeWebhooks: { ...calm, retryMs: RETRY_MS } };
  }
  const common = [{ seed }, { searchLagMs: 1_000 }];
  const webhooks = { drop: rate / 2, duplicate: rate, shuffleMs: 1_000 };
  return {
    print: [
      ...common,
      ...PRINT_WRITES.flatMap((call) => spread(call, rate, WRITE_FAILURES)),
      ...PRINT_READS.flatMap((call) => spread(call, rate * READ_SHARE, READ_FAILURES)),
    ],
    store: [
      ...common,
      ...STORE_WRITES.flatMap((operation) => spread({ operation }, rate, WRITE_FAILURES)),
      ...STORE_READS.flatMap((operation) => spread({ operation }, rate * READ_SHARE, READ_FAILURES)),
    ],
    printWebhooks: webhooks,
    storeWebhooks: { ...webhooks, retryMs: RETRY_MS },
  };
}

/**
 * Creates rules that together apply to the share `total` of the requests. Each rule applies only to the requests that the earlier rules
 * did not match.
 */
function spread(call: Rule, total: number, breaks: readonly Break[]): Rule[] {
  let left = 1;
  return breaks.map(({ share, ...broken }) => {
    const rate = Math.min(1, (share * total) / left);
    left -= share * total;
    return { ...call, ...broken, rate };
  });
}
