import type { ShownTemplate } from '../../../products/templates/list-templates.ts';
import { texts } from '../../texts/texts.ts';
import { Preview } from './preview.tsx';
import { toRequest, type ProductForm } from './product-form.ts';

/** The files that browsers can show as images. */
const IMAGE = /\.(png|jpe?g)$/i;

/** Previews the product that would be requested: the template's preview, the values, the files and the variants. */
export function ProductPreview({ template, form }: { template: ShownTemplate; form: ProductForm }) {
  const { title, description, tags, imagePlaceholders, textPlaceholders } = toRequest(template, form);
  return (
    <s-stack gap="small-100">
      <Preview url={template.previewUrl} title={template.title ?? template.templateId} />
      <s-heading>{title}</s-heading>
      {description && <s-paragraph>{description}</s-paragraph>}
      {tags && (
        <s-paragraph>
          {texts.templates.tags}: {tags.join(', ')}
        </s-paragraph>
      )}
      {imagePlaceholders.map(({ name, fileUrl }) => (
        <s-stack key={name} gap="small-300">
          <s-paragraph>
            {texts.templates.image(name)}: {fileUrl}
          </s-paragraph>
          {isImage(fileUrl) && (
            <div class="preview">
              <s-image src={fileUrl} alt={texts.templates.fileOf(name)} objectFit="contain" />
            </div>
          )}
        </s-stack>
      ))}
      {textPlaceholders.map(({ name, text }) => (
        <s-paragraph key={name}>
          {texts.templates.text(name)}: {text}
        </s-paragraph>
      ))}
      <s-paragraph>
        {texts.templates.variants}:{' '}
        {template.variants.map(({ title: of, templateVariantId }) => of ?? templateVariantId).join(', ')}
      </s-paragraph>
      <s-paragraph color="subdued">{texts.templates.createText}</s-paragraph>
    </s-stack>
  );
}

function isImage(address: string): boolean {
  return URL.canParse(address) && new URL(address).protocol === 'https:' && IMAGE.test(new URL(address).pathname);
}
