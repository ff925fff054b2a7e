import { useRef, useState } from 'preact/hooks';
import type { ShownNewProduct } from '../../../products/new-products/list-new-products.ts';
import type { ShownTemplate } from '../../../products/templates/list-templates.ts';
import { ApiError, callApi } from '../../api.ts';
import { toFieldMessage } from '../../to-field-message.ts';
import { texts } from '../../texts/texts.ts';
import { useUnsavedInput } from '../../unsaved-input.ts';
import {
  findMissingFields,
  toFormField,
  listPlaceholderNames,
  toInitialForm,
  toRequest,
  type ProductForm,
} from './product-form.ts';
import { ProductPreview } from './product-preview.tsx';

const MODAL_ID = 'create-product';

/** A form that requests a product from the template, with a preview before the product is created. */
export function CreateForm({ template, onRequested }: { template: ShownTemplate; onRequested: () => Promise<void> }) {
  const [form, setForm] = useState<ProductForm>(() => toInitialForm(template));
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [isRunning, setRunning] = useState(false);
  const [isRequested, setRequested] = useState(false);
  const modal = useRef<HTMLElementTagNameMap['s-modal']>(null);
  useUnsavedInput(JSON.stringify(form) !== JSON.stringify(toInitialForm(template)));
  const { images, texts: words } = listPlaceholderNames(template);
  const set = (change: Partial<ProductForm>): void => setForm((before) => ({ ...before, ...change }));
  const preview = (event: SubmitEvent): void => {
    event.preventDefault();
    const found = findMissingFields(template, form);
    setErrors(found);
    if (Object.keys(found).length === 0) modal.current?.showOverlay();
  };
  const create = async (): Promise<void> => {
    modal.current?.hideOverlay();
    setRunning(true);
    setRequested(false);
    try {
      await callApi<ShownNewProduct>('POST', '/api/store-products', toRequest(template, form));
      setErrors({});
      setForm(toInitialForm(template));
      setRequested(true);
      await onRequested();
    } catch (failed) {
      if (!(failed instanceof ApiError)) throw failed;
      setErrors({ [toFormField(template, form, failed.field)]: toFieldMessage(failed) });
    } finally {
      setRunning(false);
    }
  };
  return (
    <s-section heading={texts.templates.create}>
      <s-paragraph>{texts.templates.createText}</s-paragraph>
      <form onSubmit={preview}>
        <s-stack gap="base">
          {isRequested && <s-banner tone="success">{texts.templates.asked}</s-banner>}
          {errors['form'] && <s-banner tone="critical">{errors['form']}</s-banner>}
          <s-text-field
            label={texts.templates.title}
            value={form.title}
            maxLength={255}
            error={errors['title'] ?? ''}
            onInput={(event) => set({ title: event.currentTarget.value })}
          />
          <s-text-area
            label={texts.templates.description}
            value={form.description}
            error={errors['description'] ?? ''}
            onInput={(event) => set({ description: event.currentTarget.value })}
          />
          <s-text-field
            label={texts.templates.tags}
            details={texts.templates.tagsHint}
            value={form.tags}
            error={errors['tags'] ?? ''}
            onInput={(event) => set({ tags: event.currentTarget.value })}
          />
          {images.map((name) => (
            <s-url-field
              key={name}
              label={texts.templates.image(name)}
              details={texts.templates.fileUrlHint}
              value={form.images[name] ?? ''}
              error={errors[`image ${name}`] ?? ''}
              onInput={(event) => set({ images: { ...form.images, [name]: event.currentTarget.value } })}
            />
          ))}
          {words.map((name) => (
            <s-text-field
              key={name}
              label={texts.templates.text(name)}
              value={form.words[name] ?? ''}
              error={errors[`text ${name}`] ?? ''}
              onInput={(event) => set({ words: { ...form.words, [name]: event.currentTarget.value } })}
            />
          ))}
          {(form.storeId !== '' || errors['storeId']) && (
            <s-text-field
              label={texts.templates.storeId}
              details={texts.templates.storeIdHint}
              value={form.storeId}
              error={errors['storeId'] ?? ''}
              onInput={(event) => set({ storeId: event.currentTarget.value })}
            />
          )}
          <s-checkbox
            label={texts.templates.visible}
            checked={form.isVisible}
            onChange={(event) => set({ isVisible: event.currentTarget.checked })}
          />
          <s-stack direction="inline">
            <s-button type="submit" loading={isRunning}>
              {texts.templates.showPreview}
            </s-button>
          </s-stack>
        </s-stack>
      </form>
      <s-modal id={MODAL_ID} heading={texts.templates.confirmCreate} ref={modal}>
        <ProductPreview template={template} form={form} />
        <s-button slot="secondary-actions" commandFor={MODAL_ID} command="--hide">
          {texts.app.close}
        </s-button>
        <s-button slot="primary-action" variant="primary" onClick={() => void create()}>
          {texts.templates.createNow}
        </s-button>
      </s-modal>
    </s-section>
  );
}
