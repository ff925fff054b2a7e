import type { CostDays } from '../../../orders/costs/read-cost-days.ts';
import { formatMoney } from '../../format.ts';
import { PageState } from '../../parts/page-state.tsx';
import { texts } from '../../texts/texts.ts';
import { useData } from '../../use-data.ts';
import { DayChart } from './day-chart.tsx';

/**
 * The cost and margin of each of the last 30 days. They are loaded after the page, because the totals take longer to compute than the other
 * data. A skeleton reserves their height, so that the page does not shift.
 */
export function CostsChart() {
  const loaded = useData<CostDays>('/api/costs/days');
  return (
    <div class="costs">
      <PageState loaded={loaded} rows={8}>
        {(costs) => <Costs costs={costs} />}
      </PageState>
    </div>
  );
}

function Costs({ costs: { currency, otherCurrencies, days, total, unknown, isWhole } }: { costs: CostDays }) {
  const format = (amount: string | number): string => formatMoney(String(amount), currency);
  const isEmpty = total.printOrders === 0;
  const notes = [
    ...(otherCurrencies.length > 0 ? [texts.home.otherCurrencies(currency, otherCurrencies.join(', '))] : []),
    ...(isWhole ? [] : [texts.home.latestCostsOnly]),
  ];
  return (
    <s-stack gap="small">
      <DayChart
        label={texts.home.costsChartLabel(currency)}
        empty={unknown > 0 ? texts.home.noKnownCosts : texts.home.noCosts}
        series={[
          { key: 'charged', name: texts.home.cost, mark: 'series-cost' },
          { key: 'margin', name: texts.home.margin, mark: 'series-margin' },
        ]}
        days={days.map(({ day, charged, margin }) => ({
          day,
          values: { charged: Number(charged), margin: Number(margin) },
        }))}
        format={format}
      >
        {!isEmpty && (
          <s-paragraph>
            {texts.home.costTotals(total.printOrders, format(total.paid), format(total.charged), format(total.margin))}
          </s-paragraph>
        )}
      </DayChart>
      {notes.map((note) => (
        <s-paragraph key={note} color="subdued">
          {note}
        </s-paragraph>
      ))}
      {unknown > 0 && (
        <s-link href={`/activity?view=costs&since=${days[0]?.day ?? ''}`}>{texts.home.unknownMargins(unknown)}</s-link>
      )}
    </s-stack>
  );
}
