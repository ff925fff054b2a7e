import { useState } from 'preact/hooks';
import type { Boot } from '../../../http/pages/admin/boot.ts';
import type { ShownTemplate } from '../../../products/templates/list-templates.ts';
import { formatNumber } from '../../format.ts';
import { PageState } from '../../parts/page-state.tsx';
import { navigate } from '../../router.ts';
import { texts } from '../../texts/texts.ts';
import { usePages, type TablePages } from '../../use-pages.ts';
import { NewProductList, useNewProducts } from './new-product-list.tsx';
import { Preview } from './preview.tsx';

const TEMPLATE_ID = /^[A-Za-z0-9_-][A-Za-z0-9._~-]{0,199}$/;

interface TemplatesPageData {
  templates: ShownTemplate[];
  next: string | null;
}

/** The templates of the shop's print account. */
export function TemplatesPage({ boot }: { boot: Boot }) {
  const { loaded, pages } = usePages<TemplatesPageData>('/api/templates');
  const newProducts = useNewProducts();
  return (
    <s-page heading={texts.productPages.templates}>
      <s-link slot="breadcrumb-actions" href="/products">
        {texts.productPages.products}
      </s-link>
      <s-section padding="none" accessibilityLabel={texts.productPages.templates}>
        <OpenById />
        <PageState loaded={loaded} rows={6}>
          {({ templates }) =>
            templates.length === 0 ? (
              <s-empty-state heading={texts.templates.empty}>
                <s-paragraph slot="subheading">{texts.templates.emptyText}</s-paragraph>
              </s-empty-state>
            ) : (
              <TemplateTable templates={templates} pages={pages} />
            )
          }
        </PageState>
      </s-section>
      <NewProductList loaded={newProducts} boot={boot} />
    </s-page>
  );
}

function TemplateTable({ templates, pages }: { templates: readonly ShownTemplate[]; pages: TablePages }) {
  return (
    <s-table {...pages}>
      <s-table-header-row>
        <s-table-header listSlot="kicker">{texts.templates.preview}</s-table-header>
        <s-table-header listSlot="primary">{texts.templates.template}</s-table-header>
        <s-table-header format="numeric">{texts.templates.variants}</s-table-header>
        <s-table-header>{texts.templates.options}</s-table-header>
      </s-table-header-row>
      <s-table-body>
        {templates.map(({ templateId, title, previewUrl, variants }) => (
          <s-table-row key={templateId} clickDelegate={`template-${templateId}`}>
            <s-table-cell>
              <Preview url={previewUrl} title={title ?? templateId} isSmall />
            </s-table-cell>
            <s-table-cell>
              <s-link id={`template-${templateId}`} href={`/products/templates/${templateId}`}>
                {title ?? texts.templates.untitled}
              </s-link>
            </s-table-cell>
            <s-table-cell>{formatNumber(variants.length)}</s-table-cell>
            <s-table-cell>
              {[...new Set(variants.flatMap(({ options }) => options.map(({ name }) => name)))].join(', ') ||
                texts.productPages.none}
            </s-table-cell>
          </s-table-row>
        ))}
      </s-table-body>
    </s-table>
  );
}

/** A form that opens a template by its ID, for templates that the print service has not reported. */
function OpenById() {
  const [id, setId] = useState('');
  const [error, setError] = useState('');
  const open = (event: SubmitEvent): void => {
    event.preventDefault();
    const wanted = id.trim();
    if (TEMPLATE_ID.test(wanted)) navigate(`/products/templates/${wanted}`);
    else setError(texts.templates.badId);
  };
  return (
    <s-box padding="base">
      <s-stack gap="small-100">
        <s-paragraph color="subdued">{texts.templates.intro}</s-paragraph>
        <form onSubmit={open}>
          <s-stack gap="small-100">
            <s-text-field
              label={texts.templates.byId}
              details={texts.templates.byIdHint}
              value={id}
              error={error}
              onInput={(event) => setId(event.currentTarget.value)}
            />
            <s-stack direction="inline">
              <s-button type="submit">{texts.templates.open}</s-button>
            </s-stack>
          </s-stack>
        </form>
      </s-stack>
    </s-box>
  );
}
