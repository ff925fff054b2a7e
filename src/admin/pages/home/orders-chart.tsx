import type { OrdersOverview } from '../../../orders/lists/read-overview.ts';
import type { OrderLabel } from '../../../orders/facts/to-order-state.ts';
import { formatNumber } from '../../format.ts';
import { texts } from '../../texts/texts.ts';
import { DayChart } from './day-chart.tsx';

const SHOWN: readonly OrderLabel[] = [
  'fulfilled',
  'printing',
  'waiting',
  'held',
  'nothing_to_do',
  'shipped',
  'canceled',
];

/** The orders placed on each day, by state. */
export function OrdersChart({ days }: { days: OrdersOverview['days'] }) {
  return (
    <DayChart
      label={texts.home.ordersChartLabel}
      empty={texts.home.noOrders}
      series={SHOWN.map((state) => ({ key: state, name: texts.states[state], mark: `state-${state}` }))}
      days={days.map(({ day, states }) => ({ day, values: states }))}
      format={formatNumber}
    />
  );
}
