import { signPreviewUrl } from './sign-preview-url.ts';
import type { StoreProduct, TemplateRecord } from './store-records.ts';

/** A product as it is answered (docs/rules/print-interface.md#store-product). */
export function toProductBody(product: StoreProduct) {
  return { ...product, previewUrl: signPreviewUrl(product.id) };
}

/** A template as it is answered: as in its events, with a name and what products of it are. */
export function toTemplateAnswer({ template }: TemplateRecord) {
  const { id, title, variants, createdAt, updatedAt, description } = template;
  const times = { createdAt, updatedAt };
  const of = { productType: 'Printable Material', vendor: 'Sandbox' };
  return { id, templateName: title, title, description, previewUrl: signPreviewUrl(id), variants, ...of, ...times };
}

/** A template as the control doors show it: as in its events, with the key of its account. */
export function toTemplateBody({ account, template }: TemplateRecord) {
  return { key: account, ...template, previewUrl: signPreviewUrl(template.id) };
}
