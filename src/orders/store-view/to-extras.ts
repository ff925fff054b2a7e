import type { Hold } from '../../database/entities/orders.ts';
import type { PrintOrder } from '../../database/entities/print-orders.ts';
import { remedyOf } from '../facts/hold-codes.ts';
import { hasShipped, isInEffect } from '../facts/print-order-predicates.ts';
import { truncateText } from '../../truncate-text.ts';

/** An order's print status in the store. */
type PrintStatus = 'waiting' | 'printing' | 'partly shipped' | 'shipped' | 'canceled' | 'failed';

interface ExtrasInput {
  printOrders: readonly PrintOrder[];
  holds: readonly Pick<Hold, 'code' | 'message'>[];
}

/** Information about an order's printing that the store shows in addition to its fulfillments. */
interface Extras {
  tags: string[];
  /** Values by key. Empty metafields are left out. */
  metafields: Partial<Record<MetafieldKey, string>>;
}

/** The types of an order's metafields, as defined in `shopify.app.toml`. */
export const METAFIELD_TYPES = {
  print_status: 'single_line_text_field',
  references: 'list.single_line_text_field',
  delivery_from: 'date',
  delivery_until: 'date',
  hold: 'multi_line_text_field',
} as const;
export type MetafieldKey = keyof typeof METAFIELD_TYPES;

/** The value of the `hold` metafield once the hold is over, because a metafield cannot be empty. */
export const NOTHING_HELD = 'Nothing is held.';

const MAX_REFERENCES = 100;
const MAX_HOLD_CHARACTERS = 10_000;

/**
 * Computes the tags and metafields that an order in the store should have, or null if Platen prints no part of the order. The status
 * `waiting` gets no tag, because it will change soon.
 */
export function toExtras({ printOrders, holds }: ExtrasInput): Extras | null {
  if (printOrders.length === 0 && holds.length === 0) return null;
  const live = printOrders.filter(isInEffect);
  const status = toPrintStatus(printOrders);
  const isHeld = holds.length > 0;
  const from = live.flatMap(({ minDeliveryDate }) => minDeliveryDate ?? []).toSorted()[0];
  const until = live
    .flatMap(({ maxDeliveryDate }) => maxDeliveryDate ?? [])
    .toSorted()
    .at(-1);
  const references = live.map(({ reference }) => reference).slice(0, MAX_REFERENCES);
  return {
    tags: [...(status === 'waiting' ? [] : [`platen: ${status}`]), ...(isHeld ? ['platen: held'] : [])],
    metafields: {
      print_status: status,
      ...(references.length > 0 ? { references: JSON.stringify(references) } : {}),
      ...(from === undefined ? {} : { delivery_from: from }),
      ...(until === undefined ? {} : { delivery_until: until }),
      ...(isHeld ? { hold: toHoldMetafield(holds) } : {}),
    },
  };
}

function toPrintStatus(printOrders: readonly PrintOrder[]): PrintStatus {
  const live = printOrders.filter(isInEffect);
  if (live.length === 0 && printOrders.length > 0) {
    return printOrders.some(({ state, printAgainAt }) => state === 'failed' && printAgainAt === null)
      ? 'failed'
      : 'canceled';
  }
  const shipped = live.filter(hasShipped);
  if (shipped.length === live.length && live.length > 0) return 'shipped';
  if (shipped.length > 0) return 'partly shipped';
  return live.some(({ confirmedAt }) => confirmedAt !== null) ? 'printing' : 'waiting';
}

/** Writes each hold's message and remedy on separate lines. */
function toHoldMetafield(holds: ExtrasInput['holds']): string {
  const words = holds.map(({ code, message }) => `${message}\nWhat to do: ${remedyOf(code)}`);
  return truncateText([...new Set(words)].join('\n\n'), MAX_HOLD_CHARACTERS);
}
