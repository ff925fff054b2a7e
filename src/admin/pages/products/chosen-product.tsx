import { useEffect, useState } from 'preact/hooks';
import type { ShownCatalogProduct } from '../../../products/catalog/read-catalog-product.ts';
import { toMessage } from '../../to-field-message.ts';
import { formatDate, formatMoney, formatNumber } from '../../format.ts';
import { texts } from '../../texts/texts.ts';
import { useData } from '../../use-data.ts';

const TYPING_MS = 500;
/** The maximum number of prices to show, beginning with the smallest quantity. */
const MAX_PRICES = 5;

/** The prices and the stock of the product in the form, as the print service reports them. */
export function ChosenProduct({ productUid, pageCount }: { productUid: string; pageCount: string }) {
  const wanted = toPath(productUid, pageCount);
  const [path, setPath] = useState(wanted);
  useEffect(() => {
    const timer = setTimeout(() => setPath(wanted), TYPING_MS);
    return () => clearTimeout(timer);
  }, [wanted]);
  const { data, error } = useData<ShownCatalogProduct>(path);
  if (path === null) return null;
  if (error !== null) return <s-paragraph color="subdued">{texts.products.noPrices(toMessage(error))}</s-paragraph>;
  if (data === null) return <s-spinner accessibilityLabel={texts.app.loading} />;
  return (
    <s-stack gap="small-200">
      <s-heading>{texts.products.prices}</s-heading>
      <Prices prices={data.prices} />
      <s-heading>{texts.products.stock}</s-heading>
      {data.stock.length === 0 && <s-text color="subdued">{texts.products.noStock}</s-text>}
      {data.stock.map(({ stockRegionUid, status, replenishmentDate }) => (
        <s-stack key={stockRegionUid} direction="inline" gap="small-100">
          <s-text>{stockRegionUid}</s-text>
          <s-badge
            tone={
              status === 'in-stock' || status === 'non-stockable' ? 'success' : status === null ? 'neutral' : 'warning'
            }
          >
            {texts.products.stockStatuses[status ?? ''] ?? status ?? texts.products.connectionUnknown}
          </s-badge>
          {replenishmentDate !== null && (
            <s-text color="subdued">{texts.products.backOn(formatDate(replenishmentDate.slice(0, 10)))}</s-text>
          )}
        </s-stack>
      ))}
    </s-stack>
  );
}

function Prices({ prices }: Pick<ShownCatalogProduct, 'prices'>) {
  const shown = prices.filter(({ price, currency }) => price !== null && currency !== null).slice(0, MAX_PRICES);
  if (shown.length === 0) return <s-text color="subdued">{texts.products.noPriceKnown}</s-text>;
  return (
    <>
      {shown.map(({ quantity, price, currency, country }, index) => (
        <s-text key={index}>
          {texts.products.pieces(formatNumber(quantity ?? 1))}: {formatMoney(price ?? '', currency ?? '')}
          {country !== null && ` (${country})`}
        </s-text>
      ))}
    </>
  );
}

function toPath(productUid: string, pageCount: string): string | null {
  if (productUid === '') return null;
  const query = /^\d+$/.test(pageCount) ? `?pageCount=${pageCount}` : '';
  return `/api/catalog/products/${encodeURIComponent(productUid)}${query}`;
}
