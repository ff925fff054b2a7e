import type { Boot } from '../../../http/pages/admin/boot.ts';
import type { ShownTemplate } from '../../../products/templates/list-templates.ts';
import { PageState } from '../../parts/page-state.tsx';
import { texts } from '../../texts/texts.ts';
import { useData } from '../../use-data.ts';
import { useTitle } from '../../use-title.ts';
import { CreateForm } from './create-form.tsx';
import { LinkForm } from './link-form.tsx';
import { NewProductList, useNewProducts } from './new-product-list.tsx';
import { Preview } from './preview.tsx';

/** The page of a template: its variants, a form that links store variants to it, and a form that creates a product from it. */
export function TemplatePage({ id, boot }: { id: string; boot: Boot }) {
  const loaded = useData<ShownTemplate>(`/api/templates/${id}`);
  const newProducts = useNewProducts();
  const title = loaded.data?.title ?? texts.templates.template;
  useTitle(title);
  return (
    <s-page heading={title}>
      <s-link slot="breadcrumb-actions" href="/products/templates">
        {texts.productPages.templates}
      </s-link>
      <PageState loaded={loaded} rows={12}>
        {(template) => (
          <>
            <TemplateDetails template={template} />
            {template.variants.length > 0 && (
              <>
                <LinkForm template={template} />
                <CreateForm template={template} onRequested={newProducts.reload} />
              </>
            )}
          </>
        )}
      </PageState>
      {loaded.data && <NewProductList loaded={newProducts} boot={boot} templateId={id} />}
    </s-page>
  );
}

function TemplateDetails({
  template: { templateId, title, description, previewUrl, variants },
}: {
  template: ShownTemplate;
}) {
  return (
    <s-section heading={texts.templates.variants} padding="none">
      <s-box padding="base">
        <s-stack gap="small-100">
          <Preview url={previewUrl} title={title ?? templateId} />
          {description !== null && description !== '' && <s-paragraph>{description}</s-paragraph>}
          {variants.length === 0 && <s-banner tone="warning">{texts.templates.noVariants}</s-banner>}
        </s-stack>
      </s-box>
      {variants.length > 0 && (
        <s-table>
          <s-table-header-row>
            <s-table-header listSlot="primary">{texts.productPages.variant}</s-table-header>
            <s-table-header>{texts.templates.options}</s-table-header>
            <s-table-header>{texts.productPages.printProduct}</s-table-header>
            <s-table-header>{texts.templates.placeholders}</s-table-header>
          </s-table-header-row>
          <s-table-body>
            {variants.map((variant) => (
              <s-table-row key={variant.templateVariantId}>
                <s-table-cell>{variant.title ?? variant.templateVariantId}</s-table-cell>
                <s-table-cell>
                  {variant.options.map(({ name, value }) => `${name}: ${value}`).join(', ') || texts.productPages.none}
                </s-table-cell>
                <s-table-cell>{variant.productUid ?? texts.productPages.none}</s-table-cell>
                <s-table-cell>
                  {[...variant.imagePlaceholders, ...variant.textPlaceholders].map(({ name }) => name).join(', ') ||
                    texts.productPages.none}
                </s-table-cell>
              </s-table-row>
            ))}
          </s-table-body>
        </s-table>
      )}
    </s-section>
  );
}
