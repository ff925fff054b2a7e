import type { ShownTemplate } from '../../../products/templates/list-templates.ts';
import { texts } from '../../texts/texts.ts';

/** The values that a person has entered for a product from a template. */
export interface ProductForm {
  title: string;
  description: string;
  /** Separated by commas. */
  tags: string;
  /** File URLs, by placeholder name. */
  images: Record<string, string>;
  /** Texts, by placeholder name. If a text is empty, the template's text is used. */
  words: Record<string, string>;
  storeId: string;
  isVisible: boolean;
}

/** Returns the form filled in with the template's title and description. */
export function toInitialForm({ title, description }: ShownTemplate): ProductForm {
  const empty = { tags: '', images: {}, words: {}, storeId: '', isVisible: true };
  return { title: title ?? '', description: description ?? '', ...empty };
}

/** Returns the names of the template's placeholders, each once. */
export function listPlaceholderNames({ variants }: ShownTemplate): { images: string[]; texts: string[] } {
  const namesIn = (list: 'imagePlaceholders' | 'textPlaceholders'): string[] => [
    ...new Set(variants.flatMap((variant) => variant[list].map(({ name }) => name))),
  ];
  return { images: namesIn('imagePlaceholders'), texts: namesIn('textPlaceholders') };
}

/** Returns an error for each field that must be filled in. */
export function findMissingFields(template: ShownTemplate, form: ProductForm): Record<string, string> {
  const missing = listPlaceholderNames(template).images.filter((name) => (form.images[name] ?? '').trim() === '');
  return {
    ...(form.title.trim() === '' && { title: texts.templates.required }),
    ...Object.fromEntries(missing.map((name) => [`image ${name}`, texts.templates.required])),
  };
}

/** Returns the form field that shows an error of this API field. */
export function toFormField(template: ShownTemplate, form: ProductForm, field: string | null): string {
  const [, list, index] = /^(imagePlaceholders|textPlaceholders)\[(\d+)\]/.exec(field ?? '') ?? [];
  const request = toRequest(template, form);
  if (list === 'imagePlaceholders') return `image ${request.imagePlaceholders[Number(index)]?.name}`;
  if (list === 'textPlaceholders') return `text ${request.textPlaceholders[Number(index)]?.name}`;
  const name = /^[a-zA-Z]+/.exec(field ?? '')?.[0] ?? '';
  return ['title', 'description', 'tags', 'storeId'].includes(name) ? name : 'form';
}

/** Returns the body of the `POST /api/store-products` request. */
export function toRequest(template: ShownTemplate, form: ProductForm) {
  const names = listPlaceholderNames(template);
  const filled = (values: Record<string, string>, known: string[]) =>
    known.flatMap((name) => ((values[name] ?? '').trim() === '' ? [] : [{ name, value: (values[name] ?? '').trim() }]));
  const tags = form.tags
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
  return {
    templateId: template.templateId,
    title: form.title.trim(),
    ...(form.description.trim() !== '' && { description: form.description }),
    ...(tags.length > 0 && { tags }),
    ...(form.storeId.trim() !== '' && { storeId: form.storeId.trim() }),
    isVisibleInTheOnlineStore: form.isVisible,
    imagePlaceholders: filled(form.images, names.images).map(({ name, value }) => ({ name, fileUrl: value })),
    textPlaceholders: filled(form.words, names.texts).map(({ name, value }) => ({ name, text: value })),
  };
}
