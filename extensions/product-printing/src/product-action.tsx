import '@shopify/ui-extensions/preact';
import { render } from 'preact';
import { useState } from 'preact/hooks';
import type { Api } from '@shopify/ui-extensions/admin.product-details.action.render';
import { ApiError, callApi, toNumericId } from '../../shared/call-api.ts';
import { useVariants, type Variant } from './use-variants.ts';

declare const shopify: Api;

export default async (): Promise<void> => {
  render(<ProductAction />, document.body);
};

/** The part of the response to saving a link that the dialog shows. */
interface Saved {
  waiting?: { orders: number };
}

/** The values of a print link that the dialog edits. */
interface Values {
  productUid: string;
  fileUrl: string;
}

/** Links a variant to a print product, or changes its print link. */
function ProductAction() {
  const { translate } = shopify.i18n;
  const language = translate('language');
  const { variants, problem, readMore } = useVariants(
    `productId=${toNumericId(shopify.data.selected[0]?.id ?? '')}`,
    language,
  );
  const [chosen, choose] = useState<string | null>(null);
  const [changed, change] = useState<Partial<Values>>({});
  const [error, setError] = useState<ApiError | null>(null);
  const [isSaving, setSaving] = useState(false);
  const [waiting, setWaiting] = useState(0);
  const variant = variants?.find(({ variantId }) => variantId === chosen) ?? variants?.[0] ?? null;
  const values = { ...toValues(variant), ...changed };
  const save = async (): Promise<void> => {
    if (variant === null) return;
    setSaving(true);
    setError(null);
    try {
      const { waiting } = await callApi<Saved>('PUT', '/api/print-links', { language, body: toBody(variant, values) });
      // The merchant decides in Platen whether these orders are printed now.
      if (waiting !== undefined && waiting.orders > 0) setWaiting(waiting.orders);
      else shopify.close();
    } catch (failed) {
      if (!(failed instanceof ApiError)) throw failed;
      setError(failed);
    } finally {
      setSaving(false);
    }
  };
  const errorAt = (field: keyof Values) => (error?.field === field ? { error: error.message } : {});
  const needsBanner = error !== null && error.field !== 'productUid' && error.field !== 'fileUrl';
  return (
    <s-admin-action heading={translate('connectHeading')} loading={isSaving || (variants === null && problem === null)}>
      <s-stack gap="base">
        {problem !== null && <s-banner tone="critical">{problem || translate('failed')}</s-banner>}
        {needsBanner && <s-banner tone="critical">{error.message || translate('failed')}</s-banner>}
        {waiting > 0 && <s-banner tone="success">{translate('waiting', { count: waiting })}</s-banner>}
        {variants !== null && (
          <>
            <s-select
              label={translate('variant')}
              value={variant?.variantId ?? ''}
              onChange={(event) => {
                choose(event.currentTarget.value);
                change({});
                setError(null);
                setWaiting(0);
              }}
            >
              {variants.map(({ variantId, title }) => (
                <s-option key={variantId} value={variantId}>
                  {title}
                </s-option>
              ))}
            </s-select>
            {readMore !== null && <s-button onClick={() => void readMore()}>{translate('more')}</s-button>}
            <s-text-field
              label={translate('product')}
              details={translate('productText')}
              value={values.productUid}
              {...errorAt('productUid')}
              onInput={(event) => change({ ...changed, productUid: event.currentTarget.value })}
            />
            <s-url-field
              label={translate('file')}
              details={translate('fileText')}
              value={values.fileUrl}
              {...errorAt('fileUrl')}
              onInput={(event) => change({ ...changed, fileUrl: event.currentTarget.value })}
            />
            {variant && (
              <s-link href={`app:products/link?variantId=${variant.variantId}`}>
                {translate(waiting > 0 ? 'decide' : 'search')}
              </s-link>
            )}
          </>
        )}
      </s-stack>
      <s-button
        slot="primary-action"
        variant="primary"
        disabled={isSaving || variant === null}
        onClick={() => void save()}
      >
        {translate('save')}
      </s-button>
      <s-button slot="secondary-actions" disabled={isSaving} onClick={() => shopify.close()}>
        {translate('dismiss')}
      </s-button>
    </s-admin-action>
  );
}

function toValues(variant: Variant | null): Values {
  return { productUid: variant?.printLink?.productUid ?? '', fileUrl: variant?.printLink?.fileUrl ?? '' };
}

/** Keeps the values of the link that the dialog does not edit. */
function toBody({ variantId, printLink }: Variant, { productUid, fileUrl }: Values): Record<string, unknown> {
  const { pageCount = null, envelopeProductUid = null, envelopesPerPiece = null } = printLink ?? {};
  const kept = { pageCount, envelopeProductUid, envelopesPerPiece };
  const set = Object.entries(kept).filter(([, value]) => value !== null);
  return { variantId, productUid, ...(fileUrl !== '' && { fileUrl }), ...Object.fromEntries(set) };
}
