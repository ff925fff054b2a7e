import { useState } from 'preact/hooks';
import type { LinkedFromTemplate } from '../../../products/from-template/link-from-template.ts';
import type { ShownTemplate } from '../../../products/templates/list-templates.ts';
import { ApiError, callApi } from '../../api.ts';
import { toFieldMessage } from '../../to-field-message.ts';
import { PrintAllWaitingOrders } from '../../parts/print-all-waiting-orders.tsx';
import { toNumericId } from '../../format.ts';
import { texts } from '../../texts/texts.ts';
import { useUnsavedInput } from '../../unsaved-input.ts';
import { LinkResult } from './link-result.tsx';
import { readProductIds } from './read-product-ids.ts';

const MAX_PRODUCTS = 20;

interface Form {
  products: string;
  fileUrl: string;
  pageCount: string;
  /** The file URLs of single variants, by the variant's number. */
  fileUrls: Record<string, string>;
  /** The store's option names, by the template's option name. */
  optionNames: Record<string, string>;
}

const EMPTY: Form = { products: '', fileUrl: '', pageCount: '', fileUrls: {}, optionNames: {} };

/** An error of a field, or of the entire form if `field` is null. */
interface FieldError {
  field: string | null;
  message: string;
}

/** Links the store's variants to the template's variants. A dry run first shows what would be linked. */
export function LinkForm({ template }: { template: ShownTemplate }) {
  const [form, setForm] = useState(EMPTY);
  const [dryRun, setDryRun] = useState<LinkedFromTemplate | null>(null);
  const [isStale, setStale] = useState(false);
  const [saved, setSaved] = useState<LinkedFromTemplate | null>(null);
  const [error, setError] = useState<FieldError | null>(null);
  const [isRunning, setRunning] = useState(false);
  useUnsavedInput((isStale || dryRun !== null) && JSON.stringify(form) !== JSON.stringify(EMPTY));
  const set = (change: Partial<Form>): void => {
    setForm((before) => ({ ...before, ...change }));
    setStale(true);
  };
  const run = async (isDryRun: boolean): Promise<void> => {
    const asked = toRequest(template.templateId, form, isDryRun);
    if ('error' in asked) return setError(asked.error);
    setRunning(true);
    setError(null);
    setSaved(null);
    try {
      const result = await callApi<LinkedFromTemplate>('POST', '/api/print-links/from-template', asked.request, {
        isReadOnlyRequest: isDryRun,
      });
      setDryRun(isDryRun ? result : null);
      if (!isDryRun) setSaved(result);
      setStale(false);
    } catch (failed) {
      if (!(failed instanceof ApiError)) throw failed;
      // The dry run stays visible, because the error of a variant's own file appears in it.
      setStale(true);
      setError({ field: failed.field, message: toFieldMessage(failed) });
    } finally {
      setRunning(false);
    }
  };
  const errorAt = (field: string): string => (error && toFormField(error.field) === field ? error.message : '');
  const isMissingOption = dryRun?.notLinked.some(({ code }) => code === 'other_options') ?? false;
  const options = [...new Set(template.variants.flatMap((one) => one.options.map(({ name }) => name)))];
  return (
    <>
      {saved && (
        <s-banner tone="success">{texts.templates.linkSaved(saved.created, saved.changed, saved.unchanged)}</s-banner>
      )}
      {saved && <PrintAllWaitingOrders />}
      <s-section heading={texts.templates.link}>
        <s-paragraph>{texts.templates.linkText}</s-paragraph>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void run(true);
          }}
        >
          <s-stack gap="base">
            {error && needsBanner(error.field, dryRun) && <s-banner tone="critical">{error.message}</s-banner>}
            <s-text-area
              label={texts.templates.productIds}
              details={texts.templates.productIdsHint}
              value={form.products}
              error={errorAt('products')}
              onInput={(event) => set({ products: event.currentTarget.value })}
            />
            <ChooseProducts onChosen={(ids) => set({ products: [form.products.trim(), ...ids].join('\n').trim() })} />
            <s-url-field
              label={texts.templates.fileUrl}
              details={texts.templates.fileUrlHint}
              value={form.fileUrl}
              error={errorAt('fileUrl')}
              onInput={(event) => set({ fileUrl: event.currentTarget.value })}
            />
            <s-number-field
              label={texts.templates.pageCount}
              details={texts.templates.pageCountHint}
              value={form.pageCount}
              error={errorAt('pageCount')}
              onInput={(event) => set({ pageCount: event.currentTarget.value })}
            />
            {(isMissingOption || Object.keys(form.optionNames).length > 0) &&
              options.map((name) => (
                <s-text-field
                  key={name}
                  label={texts.templates.optionName(name)}
                  value={form.optionNames[name] ?? ''}
                  error={errorAt('optionNames')}
                  onInput={(event) => set({ optionNames: { ...form.optionNames, [name]: event.currentTarget.value } })}
                />
              ))}
            <s-stack direction="inline">
              <s-button type="submit" loading={isRunning}>
                {texts.templates.tryLink}
              </s-button>
            </s-stack>
          </s-stack>
        </form>
        {dryRun && (
          <LinkResult
            result={dryRun}
            isStale={isStale}
            isRunning={isRunning}
            fileUrls={form.fileUrls}
            errorField={error}
            onFile={(variantId, url) => set({ fileUrls: { ...form.fileUrls, [variantId]: url } })}
            onSave={() => void run(false)}
          />
        )}
      </s-section>
    </>
  );
}

/** A button that opens the store's product picker. Shown only if App Bridge provides one. */
function ChooseProducts({ onChosen }: { onChosen: (ids: string[]) => void }) {
  if (!('resourcePicker' in shopify)) return null;
  const choose = async (): Promise<void> => {
    const chosen = await shopify.resourcePicker({ type: 'product', action: 'select', multiple: MAX_PRODUCTS });
    if (chosen) onChosen(chosen.map(({ id }) => toNumericId(id)));
  };
  return (
    <s-stack direction="inline">
      <s-button onClick={() => void choose()}>{texts.templates.choose}</s-button>
    </s-stack>
  );
}

/** Whether an error needs a banner, because the form has no field for it or no longer lists the file's variant. */
function needsBanner(field: string | null, dryRun: LinkedFromTemplate | null): boolean {
  const [, variant] = field?.split('.') ?? [];
  if (toFormField(field) !== 'fileUrls') return toFormField(field) === null;
  return !dryRun?.linked.some(({ variantId }) => variant !== undefined && variantId.endsWith(`/${variant}`));
}

/** Returns the form's field for an error from the API, or null if the form has no such field. */
function toFormField(field: string | null): string | null {
  const name = /^[a-zA-Z]+/.exec(field ?? '')?.[0] ?? '';
  return ['products', 'fileUrl', 'pageCount', 'optionNames', 'fileUrls'].includes(name) ? name : null;
}

function toRequest(
  templateId: string,
  { products, fileUrl, pageCount, fileUrls, optionNames }: Form,
  dryRun: boolean,
): { request: Record<string, unknown> } | { error: FieldError } {
  const read = readProductIds(products);
  if ('invalid' in read) return { error: { field: 'products', message: texts.templates.badProduct(read.invalid) } };
  if (read.ids.length === 0) return { error: { field: 'products', message: texts.templates.noProduct } };
  if (pageCount.trim() !== '' && !/^\d+$/.test(pageCount.trim()))
    return { error: { field: 'pageCount', message: texts.templates.badPages } };
  const filled = (values: Record<string, string>) => Object.entries(values).filter(([, value]) => value.trim() !== '');
  const request = {
    templateId,
    products: read.ids,
    fileUrl: fileUrl.trim() || null,
    fileUrls: Object.fromEntries(filled(fileUrls).map(([variant, url]) => [variant, url.trim()])),
    pageCount: pageCount.trim() === '' ? null : Number(pageCount),
    optionNames: Object.fromEntries(filled(optionNames).map(([template, store]) => [store.trim(), template])),
    dryRun,
  };
  return { request };
}
