import type { Api } from '@shopify/ui-extensions/admin.product-details.block.render';
import { useVariants, type Variant } from './use-variants.ts';

type I18n = Api['i18n'];

const TONES: Readonly<Record<string, 'success' | 'warning' | 'neutral'>> = {
  connected: 'success',
  not_connected: 'warning',
  ignored: 'neutral',
};

/** Shows how each variant is printed, and the problems with its print link. */
export function PrintingBlock({ query, i18n }: { query: string; i18n: I18n }) {
  const { translate } = i18n;
  const { variants, problem, readMore } = useVariants(query, translate('language'));
  return (
    <s-admin-block heading={translate('name')}>
      <s-stack gap="base">
        {problem !== null && <s-paragraph>{problem || translate('failed')}</s-paragraph>}
        {problem === null && variants === null && <s-spinner accessibilityLabel={translate('loading')} />}
        {variants?.map((variant) => (
          <VariantPrinting key={variant.variantId} variant={variant} i18n={i18n} />
        ))}
        {readMore !== null && <s-button onClick={() => void readMore()}>{translate('more')}</s-button>}
      </s-stack>
    </s-admin-block>
  );
}

function VariantPrinting({ variant, i18n: { translate } }: { variant: Variant; i18n: I18n }) {
  const { variantId, title, sku, printLink, connection } = variant;
  return (
    <s-stack gap="small-300">
      <s-stack direction="inline" gap="small-100" alignItems="center">
        <s-text type="strong">{title}</s-text>
        {sku && <s-text color="subdued">{sku}</s-text>}
        {connection && (
          <s-badge tone={TONES[connection] ?? 'neutral'}>{translate(`connections.${connection}`)}</s-badge>
        )}
      </s-stack>
      <s-text>{printLink ? translate('printed', { product: printLink.productUid }) : translate('notLinked')}</s-text>
      {printLink?.problems.map((one) => (
        <s-banner key={one.code} tone="warning">
          <s-paragraph>{one.message}</s-paragraph>
          <s-paragraph>{one.remedy}</s-paragraph>
        </s-banner>
      ))}
      {printLink && printLink.problems.length === 0 && (
        <s-text color="subdued">{translate(printLink.checkedAt === null ? 'notChecked' : 'checked')}</s-text>
      )}
      <s-link href={`app:products/link?variantId=${variantId}`}>{translate(printLink ? 'change' : 'connect')}</s-link>
    </s-stack>
  );
}
