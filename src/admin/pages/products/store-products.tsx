import { useState } from 'preact/hooks';
import type {
  ListedStoreProduct,
  ListedVariant,
  StoreProductsPage,
} from '../../../products/store-products/list-store-products.ts';
import { PageState } from '../../parts/page-state.tsx';
import { route } from '../../router.ts';
import { texts } from '../../texts/texts.ts';
import { usePages } from '../../use-pages.ts';
import { setFilter } from './set-filter.ts';
import { useVariantTitles } from './use-variant-titles.ts';
import { ConnectionBadge } from './check-result.tsx';

/** The shop's products at the print service, each with its problem and its variants. */
export function StoreProducts() {
  const status = route.value.query.get('status') ?? '';
  const query = new URLSearchParams(status === '' ? {} : { status });
  const { loaded, pages } = usePages<StoreProductsPage>(`/api/store-products?${query}`);
  return (
    <s-section heading={texts.products.storeProducts} padding="none">
      <s-box padding="base">
        <s-select
          label={texts.products.status}
          value={status}
          onChange={(event) => setFilter('status', event.currentTarget.value)}
        >
          <s-option value="">{texts.products.allStatuses}</s-option>
          {Object.entries(texts.products.statuses).map(([one, name]) => (
            <s-option key={one} value={one}>
              {name}
            </s-option>
          ))}
        </s-select>
      </s-box>
      <PageState loaded={loaded} rows={6}>
        {({ storeProducts }) =>
          storeProducts.length === 0 ? (
            <Empty isFiltered={status !== ''} />
          ) : (
            <s-table {...pages}>
              <s-table-header-row>
                <s-table-header listSlot="primary">{texts.products.product}</s-table-header>
                <s-table-header>{texts.products.status}</s-table-header>
                <s-table-header>{texts.products.variants}</s-table-header>
              </s-table-header-row>
              <s-table-body>
                {storeProducts.map((product) => (
                  <ProductRow key={`${product.storeId} ${product.storeProductId}`} product={product} />
                ))}
              </s-table-body>
            </s-table>
          )
        }
      </PageState>
    </s-section>
  );
}

function ProductRow({ product }: { product: ListedStoreProduct }) {
  const { title, storeProductId, adminUrl, status, problem } = product;
  const name = title ?? storeProductId;
  return (
    <s-table-row>
      <s-table-cell>
        {adminUrl === null ? (
          <s-text type="strong">{name}</s-text>
        ) : (
          <s-link href={adminUrl} target="_top">
            {name}
          </s-link>
        )}
      </s-table-cell>
      <s-table-cell>
        <s-stack gap="small-300">
          <s-stack direction="inline">
            <s-badge tone={problem ? 'warning' : status === 'active' ? 'success' : 'neutral'}>
              {(texts.products.statuses as Record<string, string>)[status] ?? status}
            </s-badge>
          </s-stack>
          {problem && <s-text>{problem.message}</s-text>}
          {problem && (
            <s-text color="subdued">
              {texts.home.remedy}: {problem.remedy}
            </s-text>
          )}
        </s-stack>
      </s-table-cell>
      <s-table-cell>
        <Variants product={product} name={name} />
      </s-table-cell>
    </s-table-row>
  );
}

function Variants({
  product: { storeProductId, counts, variants },
  name,
}: {
  product: ListedStoreProduct;
  name: string;
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <s-stack gap="small-200">
      <s-text>{texts.products.counts(counts)}</s-text>
      {variants.length > 0 && (
        <s-stack direction="inline">
          <s-button
            variant="tertiary"
            accessibilityLabel={texts.order.confirmTitle(
              isOpen ? texts.products.hideVariants : texts.products.showVariants,
              name,
            )}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? texts.products.hideVariants : texts.products.showVariants}
          </s-button>
        </s-stack>
      )}
      {isOpen && <VariantList storeProductId={storeProductId} name={name} />}
    </s-stack>
  );
}

/** The variants of a product. They are loaded page by page, because a product may have 2,048 of them. */
function VariantList({ storeProductId, name }: { storeProductId: string; name: string }) {
  const { loaded, pages } = usePages<{ variants: ListedVariant[]; next: string | null }>(
    `/api/store-products/${encodeURIComponent(storeProductId)}/variants`,
  );
  const titleOf = useVariantTitles(loaded.data?.variants ?? []);
  const buttons = [
    [texts.products.previousVariants, pages.hasPreviousPage, pages.onPreviousPage],
    [texts.products.nextVariants, pages.hasNextPage, pages.onNextPage],
  ] as const;
  return (
    <PageState loaded={loaded} rows={3}>
      {({ variants }) => (
        <>
          {variants.map(({ variantId, title, status, reason }, index) => (
            <s-stack key={variantId ?? index} gap="small-500">
              <s-stack direction="inline" gap="small-100" alignItems="center">
                <s-text>
                  {title ??
                    titleOf(variantId) ??
                    (variantId === null ? texts.products.noVariant : texts.products.variant(variantId))}
                </s-text>
                <ConnectionBadge status={status} />
              </s-stack>
              {reason && <s-text color="subdued">{reason.message}</s-text>}
            </s-stack>
          ))}
          {pages.paginate && (
            <s-stack direction="inline" gap="small-100">
              {buttons.map(([label, isPossible, onClick]) => (
                <s-button
                  key={label}
                  disabled={!isPossible}
                  accessibilityLabel={texts.order.confirmTitle(label, name)}
                  onClick={onClick}
                >
                  {label}
                </s-button>
              ))}
            </s-stack>
          )}
        </>
      )}
    </PageState>
  );
}

function Empty({ isFiltered }: { isFiltered: boolean }) {
  return (
    <s-empty-state heading={isFiltered ? texts.products.noProductMatches : texts.products.noProducts}>
      <s-paragraph slot="subheading">
        {isFiltered ? texts.products.noProductMatchesText : texts.products.noProductsText}
      </s-paragraph>
      {isFiltered && (
        <s-button slot="primary-action" onClick={() => setFilter('status', '')}>
          {texts.orders.clear}
        </s-button>
      )}
    </s-empty-state>
  );
}
