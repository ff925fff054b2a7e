import type { Boot } from '../../../http/pages/admin/boot.ts';
import type { ShownNewProduct } from '../../../products/new-products/list-new-products.ts';
import { toNumericId, formatTime } from '../../format.ts';
import { PageState } from '../../parts/page-state.tsx';
import { texts } from '../../texts/texts.ts';
import { useData, type Loaded } from '../../use-data.ts';

const REFRESH_SECONDS = 2;
const TONES: Record<string, 'success' | 'critical'> = { published: 'success', failed: 'critical' };

interface NewProductsData {
  newProducts: ShownNewProduct[];
}

/** Loads the requested products. Refreshes them while one of them is unfinished. */
export function useNewProducts(): Loaded<NewProductsData> {
  return useData<NewProductsData>('/api/store-products/new', {
    refreshSeconds: (data) => (data?.newProducts.some(({ finishedAt }) => finishedAt === null) ? REFRESH_SECONDS : 0),
  });
}

/** The latest requested products with their progress. With `templateId`, only those from one template. */
export function NewProductList({
  loaded,
  boot,
  templateId = null,
}: {
  loaded: Loaded<NewProductsData>;
  boot: Boot;
  templateId?: string | null;
}) {
  return (
    <s-section heading={texts.templates.madeProducts} padding="none">
      <PageState loaded={loaded} rows={2}>
        {({ newProducts }) => {
          const shown = newProducts.filter((one) => templateId === null || one.templateId === templateId);
          if (shown.length === 0)
            return (
              <s-box padding="base">
                <s-paragraph color="subdued">{texts.templates.madeNone}</s-paragraph>
              </s-box>
            );
          return (
            <s-table>
              <s-table-header-row>
                <s-table-header listSlot="primary">{texts.templates.title}</s-table-header>
                <s-table-header>{texts.templates.askedAt}</s-table-header>
                <s-table-header listSlot="inline">{texts.templates.state}</s-table-header>
                <s-table-header>{texts.productPages.result}</s-table-header>
              </s-table-header-row>
              <s-table-body>
                {shown.map(({ id, title, askedAt, state, problem, productId }) => (
                  <s-table-row key={id}>
                    <s-table-cell>{title}</s-table-cell>
                    <s-table-cell>{formatTime(askedAt)}</s-table-cell>
                    <s-table-cell>
                      <s-badge tone={TONES[state] ?? 'info'}>{texts.templates.states[state] ?? state}</s-badge>
                    </s-table-cell>
                    <s-table-cell>
                      {problem?.message}
                      {productId !== null && (
                        <s-link href={`${boot.shop.adminUrl}/products/${toNumericId(productId)}`} target="_top">
                          {texts.templates.openProduct}
                        </s-link>
                      )}
                    </s-table-cell>
                  </s-table-row>
                ))}
              </s-table-body>
            </s-table>
          );
        }}
      </PageState>
    </s-section>
  );
}
