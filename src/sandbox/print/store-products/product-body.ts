import { signPreviewUrl } from './sign-preview-url.ts';
import type { StoreProduct, TemplateRecord } from './store-records.ts';

/** A product as it is answered (interface page, Store product). */
export function toProductBody(product: StoreProduct) {
  return { ...product, previewUrl: signPreviewUrl(product.id) };
}

/** A template as the control doors show it: as in its events, with the key of its account. */
export function toTemplateBody({ account, template }: TemplateRecord) {
  return { key: account, ...template, previewUrl: signPreviewUrl(template.id) };
}
