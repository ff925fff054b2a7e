import { useState } from 'preact/hooks';
import type { ListedStock, StockPage } from '../../../products/stock/list-stock.ts';
import { formatDate, formatNumber, formatTime } from '../../format.ts';
import { PageState } from '../../parts/page-state.tsx';
import { texts } from '../../texts/texts.ts';
import { usePages } from '../../use-pages.ts';

/** The print service's stock of the products in the shop's print links. */
export function StockList() {
  const [onlyOut, setOnlyOut] = useState(false);
  const { loaded, pages } = usePages<StockPage>(`/api/stock?out=${onlyOut}`);
  return (
    <s-section heading={texts.location.stockList} padding="none">
      <s-box padding="base">
        <s-checkbox
          label={texts.location.onlyOut}
          checked={onlyOut}
          onChange={(event) => setOnlyOut(event.currentTarget.checked)}
        />
      </s-box>
      <PageState loaded={loaded} rows={6}>
        {({ products }) =>
          products.length === 0 ? (
            <s-empty-state heading={onlyOut ? texts.location.noneOut : texts.location.noStock}>
              {!onlyOut && <s-paragraph slot="subheading">{texts.location.noStockText}</s-paragraph>}
            </s-empty-state>
          ) : (
            <s-table {...pages}>
              <s-table-header-row>
                <s-table-header listSlot="primary">{texts.productPages.printProduct}</s-table-header>
                <s-table-header format="numeric">{texts.location.links}</s-table-header>
                <s-table-header>{texts.location.regions}</s-table-header>
                <s-table-header>{texts.location.readAt}</s-table-header>
              </s-table-header-row>
              <s-table-body>
                {products.map(({ productUid, printLinks, regions, readAt }) => (
                  <s-table-row key={productUid}>
                    <s-table-cell>{productUid}</s-table-cell>
                    <s-table-cell>{formatNumber(printLinks)}</s-table-cell>
                    <s-table-cell>
                      <Regions regions={regions} />
                    </s-table-cell>
                    <s-table-cell>{readAt === null ? texts.location.notRead : formatTime(readAt)}</s-table-cell>
                  </s-table-row>
                ))}
              </s-table-body>
            </s-table>
          )
        }
      </PageState>
    </s-section>
  );
}

/** The regions, grouped by status. Regions with the same status share one line. */
function Regions({ regions }: { regions: ListedStock['regions'] }) {
  const byStatus = Map.groupBy(regions, ({ status }) => status);
  return (
    <s-stack gap="small-300">
      {[...byStatus].map(([status, of]) => (
        <s-stack key={status} direction="inline" gap="small-100" alignItems="center">
          <s-badge tone={toTone(status)}>{texts.location.statuses[status] ?? status}</s-badge>
          <s-text>
            {of
              .map(({ stockRegionUid, replenishmentDate }) =>
                replenishmentDate === null
                  ? stockRegionUid
                  : `${stockRegionUid} (${texts.location.restocked(formatDate(replenishmentDate))})`,
              )
              .join(', ')}
          </s-text>
        </s-stack>
      ))}
    </s-stack>
  );
}

function toTone(status: string): 'success' | 'critical' | 'warning' | 'neutral' {
  if (status === 'in-stock') return 'success';
  if (status === 'out-of-stock') return 'critical';
  return status === 'out-of-stock-replenishable' ? 'warning' : 'neutral';
}
