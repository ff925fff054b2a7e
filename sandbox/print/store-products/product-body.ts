import { signPreviewUrl } from './sign-preview-url.ts';
import type { StoreProduct, TemplateRecord } from './store-records.ts';
import type { StandIn } from '../stand-in.ts';

/** Returns a product in the service's format (docs/rules/print-interface.md#store-product). */
export function toProductBody({ clock }: StandIn, product: StoreProduct) {
  return { ...product, previewUrl: signPreviewUrl(clock, product.id) };
}

/** Returns a template in the format of the service's response: the fields of its events, and its name, product type and vendor. */
export function toTemplateResponse({ clock }: StandIn, { template }: TemplateRecord) {
  const { id, title, variants, createdAt, updatedAt, description } = template;
  const times = { createdAt, updatedAt };
  const of = { productType: 'Printable Material', vendor: 'Sandbox' };
  return {
    id,
    templateName: title,
    title,
    description,
    previewUrl: signPreviewUrl(clock, id),
    variants,
    ...of,
    ...times,
  };
}

/** Returns a template in the format of the control endpoints: the fields of its events, and the API key of its account. */
export function toTemplateBody({ clock }: StandIn, { account, template }: TemplateRecord) {
  return { key: account, ...template, previewUrl: signPreviewUrl(clock, template.id) };
}
