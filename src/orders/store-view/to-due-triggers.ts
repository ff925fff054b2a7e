import type { Hold } from '../../database/entities/orders.ts';
import { usedSince, usesFlow, type FlowTrigger } from '../../shops/flow-triggers.ts';
import { remedyOf, type HoldCode } from '../facts/hold-codes.ts';
import type { StoreView } from './store-view.ts';
import { readWrittenValues } from './written-values.ts';
import { truncateText } from '../../truncate-text.ts';

/** A trigger to send to Shopify Flow. */
export interface DueTrigger {
  handle: FlowTrigger;
  /** Identifies the occurrences that cause the trigger. Recorded after the trigger has been sent, so that it is sent only once. */
  causes: string[];
  /** The values of the fields in `extensions/flow`, by key. */
  payload: Record<string, string | number>;
}

/** Something that happened to an order, whether or not it starts one of the shop's workflows. */
type Occurrence = Omit<DueTrigger, 'payload'> & { at: Date; fields: Record<string, string> };

/** Codes of holds that show that the service refused the print order or gave up on it. */
const REFUSED: ReadonlySet<string> = new Set<HoldCode>([
  'quote_refused',
  'create_refused',
  'confirm_refused',
  'payment_refused',
  'service_failed',
]);

/** Flow refuses a payload of more than 50,000 bytes. A character has at most three bytes. */
const MAX_TEXT_LENGTH = 5_000;

/**
 * Lists the triggers that start the shop's workflows and that Shopify Flow has not received yet. Anything that happened before a workflow
 * was enabled starts no trigger. A redacted order starts none, because a hold's message may quote the customer's data.
 */
export function toDueTriggers(view: StoreView): DueTrigger[] {
  const { shop, storefrontOrder } = view;
  if (!usesFlow(shop) || storefrontOrder.redactedAt !== null) return [];
  const { flow: sent = [] } = readWrittenValues(storefrontOrder);
  const isDue = ({ handle, causes, at }: Occurrence): boolean => {
    const since = usedSince(shop, handle);
    return since !== null && at >= since && causes.some((cause) => !sent.includes(cause));
  };
  const due = [...toOrderSentTriggers(view), ...toShippedTriggers(view), ...toRefusedTriggers(view)].filter(isDue);
  const held = view.holds.map((hold) => toHeldTrigger(view, [hold])).filter(isDue);
  const ids = new Set(held.flatMap(({ causes }) => causes));
  // Several holds that begin together, such as those of an order's lines, need the merchant's attention only once.
  const attention =
    held.length === 0
      ? []
      : [
          toHeldTrigger(
            view,
            view.holds.filter((hold) => ids.has(toCause(hold))),
          ),
        ];
  const order_id = Number(storefrontOrder.shopifyOrderId.split('/').at(-1));
  return [...due, ...attention].map(({ handle, causes, fields }) => ({
    handle,
    causes,
    payload: {
      order_id,
      ...Object.fromEntries(Object.entries(fields).map(([key, text]) => [key, toSingleLine(text)])),
    },
  }));
}

function toOrderSentTriggers({ printOrders }: StoreView): Occurrence[] {
  return printOrders.flatMap(({ id, reference, confirmedAt, fencedAt }) =>
    confirmedAt === null || fencedAt !== null
      ? []
      : [
          {
            handle: 'print-order-sent',
            causes: [`sent:${id}`],
            at: confirmedAt,
            fields: { 'Print order reference': reference },
          },
        ],
  );
}

function toShippedTriggers(view: StoreView): Occurrence[] {
  // Parts of a print order that share a tracking code are in one package.
  const byCode = new Map(view.packages.map((one) => [`shipped:${one.printOrderId}:${one.trackingCode}`, one]));
  return [...byCode].flatMap(([cause, { confirmedAt, trackingCode, trackingUrl, printOrderId }]) =>
    confirmedAt === null
      ? []
      : [
          {
            handle: 'package-shipped',
            causes: [cause],
            at: confirmedAt,
            fields: {
              'Tracking code': trackingCode,
              'Tracking URL': trackingUrl ?? '',
              'Print order reference': referencesOf(view, [printOrderId]),
            },
          },
        ],
  );
}

function toRefusedTriggers(view: StoreView): Occurrence[] {
  return view.holds
    .filter(({ code }) => REFUSED.has(code))
    .map((hold) => ({ ...toHeldTrigger(view, [hold]), handle: 'print-order-refused', causes: [`refused:${hold.id}`] }));
}

/** Describes holds that begin together. The occurrence starts with the first hold. */
function toHeldTrigger(view: StoreView, holds: readonly Hold[]): Occurrence {
  const join = (texts: readonly string[]): string => [...new Set(texts)].join(' ');
  return {
    handle: 'print-order-needs-attention',
    causes: holds.map(toCause),
    at: new Date(Math.min(...holds.map(({ createdAt }) => createdAt.getTime()))),
    fields: {
      Message: join(holds.map(({ message }) => message)),
      Remedy: join(holds.map(({ code }) => remedyOf(code))),
      'Print order reference': referencesOf(
        view,
        holds.map(({ printOrderId }) => printOrderId),
      ),
    },
  };
}

function toCause({ id }: Hold): string {
  return `held:${id}`;
}

function referencesOf({ printOrders }: StoreView, ids: readonly (string | null)[]): string {
  return printOrders
    .filter(({ id }) => ids.includes(id))
    .map(({ reference }) => reference)
    .join(', ');
}

/** Flow shows a text field as one line. */
function toSingleLine(text: string): string {
  return truncateText(text.replace(/\s+/g, ' ').trim(), MAX_TEXT_LENGTH);
}
