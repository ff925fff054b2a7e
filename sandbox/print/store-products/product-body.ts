import { signPreviewUrl } from './sign-preview-url.ts';
import type { StoreProduct, TemplateRecord } from './store-records.ts';

/** Returns a product in the service's format (docs/rules/print-interface.md#store-product). */
export function toProductBody(product: StoreProduct) {
  return { ...product, previewUrl: signPreviewUrl(product.id) };
}

/** Returns a template in the format of the service's response: the fields of its events, and its name, product type and vendor. */
export function toTemplateResponse({ template }: TemplateRecord) {
  const { id, title, variants, createdAt, updatedAt, description } = template;
  const times = { createdAt, updatedAt };
  const of = { productType: 'Printable Material', vendor: 'Sandbox' };
  return { id, templateName: title, title, description, previewUrl: signPreviewUrl(id), variants, ...of, ...times };
}

/** Returns a template in the format of the control endpoints: the fields of its events, and the API key of its account. */
export function toTemplateBody({ account, template }: TemplateRecord) {
  return { key: account, ...template, previewUrl: signPreviewUrl(template.id) };
}
