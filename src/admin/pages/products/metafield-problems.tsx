import type { ShownMetafieldProblems } from '../../../products/link-metafields/list-metafield-problems.ts';
import { toNumericId, formatTime } from '../../format.ts';
import { PageState } from '../../parts/page-state.tsx';
import { texts } from '../../texts/texts.ts';
import { useVariantTitles } from './use-variant-titles.ts';
import { usePages } from '../../use-pages.ts';

/** The variants whose metafields form no valid print link. Shown only if there are any. */
export function MetafieldProblems() {
  const { loaded, pages } = usePages<{ variants: ShownMetafieldProblems[]; next: string | null }>(
    '/api/print-links/metafield-problems',
  );
  const titleOf = useVariantTitles(loaded.data?.variants ?? []);
  const isOffline = loaded.data === null && loaded.error?.status === 0;
  const isNothing =
    (loaded.error === null || isOffline) && !pages.hasPreviousPage && (loaded.data?.variants.length ?? 0) === 0;
  if (isNothing) return null;
  return (
    <s-section heading={texts.products.metafields} subheading={texts.products.metafieldsText} padding="none">
      <PageState loaded={loaded} rows={3}>
        {({ variants }) => (
          <s-table {...pages}>
            <s-table-header-row>
              <s-table-header listSlot="primary">{texts.products.product}</s-table-header>
              <s-table-header>{texts.products.problem}</s-table-header>
              <s-table-header>{texts.products.readAt}</s-table-header>
            </s-table-header-row>
            <s-table-body>
              {variants.map(({ variantId, problems, readAt }) => (
                <s-table-row key={variantId}>
                  <s-table-cell>{titleOf(variantId) ?? texts.products.variant(toNumericId(variantId))}</s-table-cell>
                  <s-table-cell>
                    {problems.map(({ field, message, remedy }) => (
                      <s-stack key={`${field} ${message}`} gap="small-500">
                        <s-text>{message}</s-text>
                        <s-text color="subdued">
                          {texts.home.remedy}: {remedy}
                        </s-text>
                      </s-stack>
                    ))}
                  </s-table-cell>
                  <s-table-cell>{formatTime(readAt)}</s-table-cell>
                </s-table-row>
              ))}
            </s-table-body>
          </s-table>
        )}
      </PageState>
    </s-section>
  );
}
