import { texts } from '../texts/texts.ts';

/** Links from the products page to its inner pages, for the page's header. */
export function ProductLinks() {
  return (
    <>
      <s-button slot="secondary-actions" href="/products/import">
        {texts.productPages.import}
      </s-button>
      <s-button slot="secondary-actions" href="/products/templates">
        {texts.productPages.templates}
      </s-button>
      <s-button slot="secondary-actions" href="/products/location">
        {texts.productPages.location}
      </s-button>
    </>
  );
}
