import '@shopify/ui-extensions/preact';
import { render } from 'preact';
import type { Api } from '@shopify/ui-extensions/customer-account.order-status.block.render';
import { createSample, readPrinting, type Printing } from './read-printing.ts';

declare const shopify: Api;

export default async (): Promise<void> => {
  render(<OrderStatus />, document.body);
};

/**
 * Shows the buyer the progress of printing. An order that Platen does not print has no metafields, so the block shows nothing. The block
 * contains no personal data, so a buyer who opens the page through its link without signing in also sees the block.
 */
function OrderStatus() {
  const { extension, i18n, order, appMetafields } = shopify;
  // The editor's order has no metafields.
  const isEditor = extension.editor !== undefined;
  const printing = isEditor ? createSample(new Date()) : readPrinting(appMetafields.value, new Date());
  if (printing === null || (!isEditor && order.value?.cancelledAt !== undefined)) return null;
  const delivery = describeDelivery(printing, i18n);
  return (
    <s-section heading={i18n.translate('name')}>
      <s-stack gap="small">
        <s-stack direction="inline">
          <s-badge>{i18n.translate(`states.${printing.state}`)}</s-badge>
        </s-stack>
        <s-paragraph>{i18n.translate(`explain.${printing.state}`)}</s-paragraph>
        {delivery !== null && <s-paragraph>{delivery}</s-paragraph>}
        {isEditor && <s-paragraph color="subdued">{i18n.translate('preview')}</s-paragraph>}
      </s-stack>
    </s-section>
  );
}

function describeDelivery({ from, until }: Printing, { translate, formatDate }: Api['i18n']): string | null {
  if (until === null) return null;
  // The dates are calendar days without a time zone, formatted in the language of the surrounding text.
  const show = (day: string): string =>
    formatDate(new Date(`${day}T00:00:00Z`), { dateStyle: 'long', timeZone: 'UTC', inExtensionLocale: true });
  if (from === null) return translate('by', { until: show(until) });
  return from === until
    ? translate('on', { until: show(until) })
    : translate('between', { from: show(from), until: show(until) });
}
