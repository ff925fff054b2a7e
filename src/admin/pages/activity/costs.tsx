import type { ListedCosts } from '../../../orders/costs/list-costs.ts';
import { toNumericId, formatDay, formatMoney } from '../../format.ts';
import { PageState } from '../../parts/page-state.tsx';
import { usePages } from '../../use-pages.ts';
import { DownloadButton } from '../../parts/download-button.tsx';
import { texts } from '../../texts/texts.ts';
import { CostTotals } from './cost-totals.tsx';
import { toViewHref, readFilters, setFilter } from './view-filters.ts';

const FILTERS = ['since', 'until'] as const;
type Filter = (typeof FILTERS)[number];
const LABELS: Record<Filter, () => string> = {
  since: () => texts.activity.orderedFrom,
  until: () => texts.activity.orderedUntil,
};

/** The costs and margins of print orders, with an export of the whole period. */
export function Costs() {
  const filters = readFilters(FILTERS);
  const { loaded, pages } = usePages<{ costs: ListedCosts[]; next: string | null }>(`/api/costs?${filters.toString()}`);
  const invalid = FILTERS.find((name) => name === loaded.error?.field) ?? null;
  return (
    <>
      <s-section padding="none" heading={texts.activity.costs} subheading={texts.activity.costsText}>
        <s-box padding="base">
          <s-query-container>
            <s-grid
              gridTemplateColumns="@container (inline-size > 700px) 1fr 1fr auto, 1fr"
              gap="small-100"
              alignItems="end"
            >
              {FILTERS.map((name) => (
                <s-date-field
                  key={name}
                  label={LABELS[name]()}
                  value={filters.get(name) ?? ''}
                  {...(invalid === name && { error: texts.activity.notBefore })}
                  onChange={(event) => setFilter('costs', FILTERS, [name, event.currentTarget.value])}
                />
              ))}
              <DownloadButton
                path={`/api/costs/export?${filters.toString()}`}
                name="costs.csv"
                label={texts.activity.exportCsv}
                isDisabled={invalid !== null}
              />
            </s-grid>
          </s-query-container>
        </s-box>
        {invalid === null && loaded.data?.costs.length !== 0 && <CostTotals filters={filters} />}
      </s-section>
      {invalid === null && (
        <s-section padding="none" heading={texts.activity.printOrders}>
          <PageState loaded={loaded} rows={10}>
            {({ costs }) =>
              costs.length === 0 ? (
                <Empty isFiltered={filters.size > 0} />
              ) : (
                <s-table {...pages}>
                  <s-table-header-row>
                    <s-table-header listSlot="primary">{texts.activity.order}</s-table-header>
                    <s-table-header>{texts.activity.ordered}</s-table-header>
                    <s-table-header format="currency">{texts.activity.quoted}</s-table-header>
                    <s-table-header format="currency">{texts.activity.charged}</s-table-header>
                    <s-table-header format="currency">{texts.activity.paid}</s-table-header>
                    <s-table-header format="currency">{texts.activity.margin}</s-table-header>
                  </s-table-header-row>
                  <s-table-body>
                    {costs.map((one) => (
                      <CostRow key={one.reference} costs={one} />
                    ))}
                  </s-table-body>
                </s-table>
              )
            }
          </PageState>
        </s-section>
      )}
    </>
  );
}

function CostRow({
  costs: { orderId, order, orderedAt, quoted, charged, paid, margin, unknown },
}: {
  costs: ListedCosts;
}) {
  return (
    <s-table-row>
      <s-table-cell>
        <s-link href={`/orders/${toNumericId(orderId)}`}>{order || toNumericId(orderId)}</s-link>
      </s-table-cell>
      <s-table-cell>{formatDay(orderedAt)}</s-table-cell>
      {[quoted, charged, paid].map((amount, index) => (
        <s-table-cell key={index}>
          {amount === null || amount.total === null ? (
            <s-text color="subdued">{texts.activity.notKnown}</s-text>
          ) : (
            formatMoney(amount.total, amount.currency)
          )}
        </s-table-cell>
      ))}
      <s-table-cell>
        {margin !== null && (
          <s-text tone={margin.amount.startsWith('-') ? 'critical' : 'auto'}>
            {formatMoney(margin.amount, margin.currency)}
          </s-text>
        )}
        {margin === null && <s-text color="subdued">{unknown?.message ?? texts.activity.notKnown}</s-text>}
      </s-table-cell>
    </s-table-row>
  );
}

function Empty({ isFiltered }: { isFiltered: boolean }) {
  return (
    <s-empty-state heading={isFiltered ? texts.activity.noCostsInPeriod : texts.activity.noCosts}>
      <s-paragraph slot="subheading">
        {isFiltered ? texts.activity.changeFilters : texts.activity.noCostsText}
      </s-paragraph>
      {isFiltered && (
        <s-button slot="primary-action" href={toViewHref('costs')}>
          {texts.activity.clear}
        </s-button>
      )}
    </s-empty-state>
  );
}
