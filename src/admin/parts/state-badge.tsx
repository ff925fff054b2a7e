import type { PrintOrderState } from '../../database/entities/print-orders.ts';
import type { OrderLabel } from '../../orders/facts/to-order-state.ts';
import { texts } from '../texts/texts.ts';

const TONES = {
  waiting: 'info',
  printing: 'info',
  held: 'warning',
  fulfilled: 'success',
  nothing_to_do: 'neutral',
  shipped: 'neutral',
  canceled: 'neutral',
} as const satisfies Record<OrderLabel, string>;

export function OrderBadge({ label }: { label: OrderLabel }) {
  return <s-badge tone={TONES[label]}>{texts.states[label]}</s-badge>;
}

export function PrintBadge({ state }: { state: PrintOrderState }) {
  const tone =
    state === 'held' || state === 'failed'
      ? 'warning'
      : state === 'fulfilled' || state.startsWith('shipped')
        ? 'success'
        : state === 'canceled'
          ? 'neutral'
          : 'info';
  return <s-badge tone={tone}>{texts.printStates[state]}</s-badge>;
}
