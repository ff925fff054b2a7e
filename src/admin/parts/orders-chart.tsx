import { useState } from 'preact/hooks';
import type { OrdersOverview } from '../../orders/lists/read-overview.ts';
import type { StorefrontOrderState } from '../../orders/facts/to-order-state.ts';
import { formatDate, formatNumber } from '../format.ts';
import { texts } from '../texts/texts.ts';

const SHOWN: readonly StorefrontOrderState[] = [
  'fulfilled',
  'printing',
  'waiting',
  'held',
  'nothing_to_do',
  'canceled',
];
const HEIGHT = 120;
const BAR = 16;
const GAP = 4;

type Days = OrdersOverview['days'];

/** A bar for each day, stacked by state. The same numbers are available as a table. */
export function OrdersChart({ days }: { days: Days }) {
  const [isTable, setTable] = useState(false);
  const totals = days.map(({ states }) => Object.values(states).reduce((sum, one) => sum + one, 0));
  const most = Math.max(1, ...totals);
  if (totals.every((total) => total === 0)) return <s-paragraph color="subdued">{texts.home.noOrders}</s-paragraph>;
  return (
    <s-stack gap="small">
      <svg
        class="chart"
        role="img"
        aria-label={texts.home.ordersChartLabel}
        viewBox={`0 0 ${days.length * (BAR + GAP)} ${HEIGHT}`}
        preserveAspectRatio="none"
      >
        {days.map(({ day, states }, index) => {
          let top = HEIGHT;
          return SHOWN.map((state) => {
            const height = ((states[state] ?? 0) / most) * (HEIGHT - 4);
            top -= height;
            return (
              height > 0 && (
                <rect
                  key={`${day} ${state}`}
                  class={`state-${state}`}
                  x={index * (BAR + GAP)}
                  y={top}
                  width={BAR}
                  height={height}
                >
                  <title>{`${formatDate(day)}: ${texts.states[state]} ${formatNumber(states[state] ?? 0)}`}</title>
                </rect>
              )
            );
          });
        })}
      </svg>
      <div class="chart-days" aria-hidden="true">
        <span>{formatDate(days[0]?.day ?? '')}</span>
        <span>{formatDate(days.at(-1)?.day ?? '')}</span>
      </div>
      <s-stack direction="inline" gap="small">
        {SHOWN.filter((state) => days.some(({ states }) => states[state])).map((state) => (
          <span key={state} class="legend">
            <span class={`swatch state-${state}`} /> {texts.states[state]}
          </span>
        ))}
      </s-stack>
      <s-stack direction="inline">
        <s-button variant="tertiary" onClick={() => setTable(!isTable)}>
          {isTable ? texts.home.hideTable : texts.home.showTable}
        </s-button>
      </s-stack>
      {isTable && <DaysTable days={days.filter((_, index) => totals[index] !== 0)} />}
    </s-stack>
  );
}

function DaysTable({ days }: { days: Days }) {
  return (
    <s-table>
      <s-table-header-row>
        <s-table-header listSlot="primary">{texts.home.day}</s-table-header>
        {SHOWN.map((state) => (
          <s-table-header key={state} format="numeric">
            {texts.states[state]}
          </s-table-header>
        ))}
      </s-table-header-row>
      <s-table-body>
        {days.map(({ day, states }) => (
          <s-table-row key={day}>
            <s-table-cell>{formatDate(day)}</s-table-cell>
            {SHOWN.map((state) => (
              <s-table-cell key={state}>{formatNumber(states[state] ?? 0)}</s-table-cell>
            ))}
          </s-table-row>
        ))}
      </s-table-body>
    </s-table>
  );
}
