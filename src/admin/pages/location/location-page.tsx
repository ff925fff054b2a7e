import type { VariantsInStorePage } from '../../../products/variant-sync/list-variants-in-store.ts';
import { toNumericId, formatNumber } from '../../format.ts';
import { PageState } from '../../parts/page-state.tsx';
import { texts } from '../../texts/texts.ts';
import { usePages, type TablePages } from '../../use-pages.ts';
import { LocationPlan } from './location-plan.tsx';
import { StockList } from './stock-list.tsx';

const REFRESH_SECONDS = 3;

const isDue = (page: VariantsInStorePage | null): boolean => (page?.due ?? 0) > 0;

/** Platen's location in the store, and the stock at the print service. */
export function LocationPage() {
  const { loaded, pages } = usePages<VariantsInStorePage>('/api/location?problems=true', {
    refreshSeconds: (page) => (isDue(page) ? REFRESH_SECONDS : 0),
  });
  return (
    <s-page heading={texts.productPages.location}>
      <s-link slot="breadcrumb-actions" href="/products">
        {texts.productPages.products}
      </s-link>
      <s-section heading={texts.location.now}>
        <PageState loaded={loaded} rows={4}>
          {({ stocked, hidden, due, problems }) => (
            <s-query-container>
              <s-grid gridTemplateColumns="@container (inline-size > 500px) 1fr 1fr 1fr 1fr, 1fr 1fr" gap="base">
                <Count name={texts.location.stocked} value={stocked} />
                <Count name={texts.location.hidden} value={hidden} />
                <Count name={texts.location.due} value={due} />
                <Count name={texts.location.problems} value={problems} />
              </s-grid>
            </s-query-container>
          )}
        </PageState>
      </s-section>
      <LocationPlan onApplied={loaded.reload} isBusy={isDue(loaded.data)} />
      {loaded.data && <ProblemTable variants={loaded.data.variants} pages={pages} />}
      <StockList />
    </s-page>
  );
}

function Count({ name, value }: { name: string; value: number }) {
  return (
    <s-stack gap="small-300">
      <s-text color="subdued">{name}</s-text>
      <s-text type="strong">{formatNumber(value)}</s-text>
    </s-stack>
  );
}

function ProblemTable({ variants, pages }: { variants: VariantsInStorePage['variants']; pages: TablePages }) {
  return (
    <s-section heading={texts.location.problemList} padding="none">
      {variants.length === 0 ? (
        <s-box padding="base">
          <s-paragraph color="subdued">{texts.location.noProblems}</s-paragraph>
        </s-box>
      ) : (
        <s-table {...pages}>
          <s-table-header-row>
            <s-table-header listSlot="primary">{texts.productPages.variant}</s-table-header>
            <s-table-header>{texts.productPages.reason}</s-table-header>
          </s-table-header-row>
          <s-table-body>
            {variants.map(({ variantId, title, problem, stockNote }) => (
              <s-table-row key={variantId}>
                <s-table-cell>{title ?? texts.importPage.variantNumber(toNumericId(variantId))}</s-table-cell>
                <s-table-cell>
                  {[problem, stockNote].flatMap((note) => (note ? [note.message] : [])).join(' ')}
                </s-table-cell>
              </s-table-row>
            ))}
          </s-table-body>
        </s-table>
      )}
    </s-section>
  );
}
