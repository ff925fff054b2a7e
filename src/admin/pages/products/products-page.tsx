import { ProductLinks } from '../../parts/product-links.tsx';
import { texts } from '../../texts/texts.ts';
import { LinksSection } from './links-section.tsx';
import { MetafieldProblems } from './metafield-problems.tsx';
import { StoreProducts } from './store-products.tsx';
import { UnlinkedSection } from './unlinked-section.tsx';

/** Variants that were not printed because they are not linked, the print links, and the products at the print service. */
export function ProductsPage() {
  return (
    <s-page heading={texts.products.title} inlineSize="large">
      <s-button slot="primary-action" variant="primary" href="/products/link">
        {texts.products.addLink}
      </s-button>
      <ProductLinks />
      <UnlinkedSection />
      <LinksSection />
      <StoreProducts />
      <MetafieldProblems />
    </s-page>
  );
}
