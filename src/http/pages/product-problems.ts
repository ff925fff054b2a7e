import type { ListedStoreProduct, StoreProductsPage } from '../../products/store-products/list-store-products.ts';
import { html, type Html } from './html.ts';

/** The page shows only a few products. The command line and the API list the rest. */
const MOST_SHOWN = 10;

/** Renders the products that need attention, each with its problem and remedy. Returns null if there are no such products. */
export function renderProductProblems({ storeProducts, next }: StoreProductsPage): Html | null {
  const shown = storeProducts.filter(({ problem }) => problem !== null);
  if (shown.length === 0) return null;
  const isMore = next !== null || shown.length > MOST_SHOWN;
  return html`<section class="card" id="products" data-part aria-labelledby="products-title">
    <h2 id="products-title" tabindex="-1">Products that need your attention</h2>
    <ol class="rows">
      ${shown.slice(0, MOST_SHOWN).map(renderProduct)}
    </ol>
    ${isMore && html`<p>Only the latest products are shown.</p>`}
  </section>`;
}

function renderProduct({ title, storeProductId, adminUrl, problem }: ListedStoreProduct): Html {
  const name = title ?? storeProductId;
  return html`<li>
    <div class="row-head">
      <h3>${adminUrl === null ? name : html`<a href="${adminUrl}" target="_top">${name}</a>`}</h3>
    </div>
    <p class="reason">${problem?.message ?? ''}</p>
    <p class="remedy"><strong>What to do:</strong> ${problem?.remedy ?? ''}</p>
  </li>`;
}
