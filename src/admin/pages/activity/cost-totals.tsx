import type { totalCosts } from '../../../orders/costs/total-costs.ts';
import { formatMoney, formatNumber } from '../../format.ts';
import { PageState } from '../../parts/page-state.tsx';
import { texts } from '../../texts/texts.ts';
import { useData } from '../../use-data.ts';

/** The totals of the period, by currency. */
export function CostTotals({ filters }: { filters: URLSearchParams }) {
  const loaded = useData<{ sums: Awaited<ReturnType<typeof totalCosts>> }>(`/api/costs/totals?${filters.toString()}`);
  return (
    <PageState loaded={loaded} rows={2}>
      {({ sums }) => (
        <>
          {sums !== null && sums.totals.length > 0 && (
            <s-table>
              <s-table-header-row>
                <s-table-header listSlot="primary">{texts.activity.totals}</s-table-header>
                <s-table-header format="numeric">{texts.activity.printOrders}</s-table-header>
                <s-table-header format="currency">{texts.activity.charged}</s-table-header>
                <s-table-header format="currency">{texts.activity.paid}</s-table-header>
                <s-table-header format="currency">{texts.activity.margin}</s-table-header>
              </s-table-header-row>
              <s-table-body>
                {sums.totals.map(({ currency, printOrders, charged, paid, margin }) => (
                  <s-table-row key={currency}>
                    <s-table-cell>{currency}</s-table-cell>
                    <s-table-cell>{formatNumber(printOrders)}</s-table-cell>
                    <s-table-cell>{formatMoney(charged, currency)}</s-table-cell>
                    <s-table-cell>{formatMoney(paid, currency)}</s-table-cell>
                    <s-table-cell>
                      <s-text tone={margin.startsWith('-') ? 'critical' : 'auto'}>
                        {formatMoney(margin, currency)}
                      </s-text>
                    </s-table-cell>
                  </s-table-row>
                ))}
              </s-table-body>
            </s-table>
          )}
          {(sums === null || sums.unknown > 0) && (
            <s-box padding="base">
              <s-paragraph color="subdued">
                {sums === null ? texts.activity.tooManyForTotals : texts.activity.unknownMargins(sums.unknown)}
              </s-paragraph>
            </s-box>
          )}
        </>
      )}
    </PageState>
  );
}
