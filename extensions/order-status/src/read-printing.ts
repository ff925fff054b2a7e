import type { Api } from '@shopify/ui-extensions/customer-account.order-status.block.render';

/** The states that a buyer sees, by the value of the metafield. Failed and canceled print orders concern only the merchant. */
const STATES = {
  waiting: 'waiting',
  printing: 'printing',
  'partly shipped': 'partlyShipped',
  shipped: 'shipped',
} as const;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The progress of an order. A day has the format YYYY-MM-DD, or is null if it is unknown or the estimate has passed. */
export interface Printing {
  state: (typeof STATES)[keyof typeof STATES];
  from: string | null;
  until: string | null;
}

const DAY_MS = 86_400_000;
const SAMPLE_DAYS = [7, 10] as const;

/** Returns a sample for the editor, in which orders have no metafields. */
export function createSample(now: Date): Printing {
  const [from, until] = SAMPLE_DAYS.map((days) => toDay(new Date(now.getTime() + days * DAY_MS)));
  return { state: 'printing', from: from ?? null, until: until ?? null };
}

/**
 * Reads the order's Platen metafields. Returns null if Platen prints no items in the order, or if there is nothing to show to the buyer.
 */
export function readPrinting(entries: Api['appMetafields']['value'], now: Date): Printing | null {
  const ours = entries.filter(({ target, metafield }) => target.type === 'order' && metafield.namespace === '$app');
  const values = new Map(ours.map(({ metafield: { key, value } }) => [key, String(value)]));
  const status = values.get('print_status') ?? '';
  if (!isShown(status)) return null;
  const until = readDay(values.get('delivery_until'));
  // An estimate that has passed would only confuse the buyer.
  if (until === null || until < toDay(now)) return { state: STATES[status], from: null, until: null };
  const from = readDay(values.get('delivery_from'));
  return { state: STATES[status], from: from !== null && from > until ? null : from, until };
}

function isShown(status: string): status is keyof typeof STATES {
  return Object.hasOwn(STATES, status);
}

function toDay(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}

function readDay(value: string | undefined): string | null {
  return value !== undefined && DAY.test(value) ? value : null;
}
