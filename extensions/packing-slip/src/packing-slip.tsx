import '@shopify/ui-extensions/preact';
import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Api as DetailsApi } from '@shopify/ui-extensions/admin.order-details.print-action.render';
import type { Api as SelectionApi } from '@shopify/ui-extensions/admin.order-index.selection-print-action.render';
import type { SlipsToPrint } from '../../../src/http/api/packing-slips.ts';
import { ApiError, callApi } from '../../shared/call-api.ts';

declare const shopify: DetailsApi | SelectionApi;

/** The app's own limit. */
const MAX_ORDERS = 50;

type Loaded = SlipsToPrint | { problem: string } | null;

export default async (): Promise<void> => {
  render(<PackingSlip />, document.body);
};

/** The packing slips of the order or of the selected orders. The admin shows a preview beside this text, and prints it. */
function PackingSlip() {
  const { translate } = shopify.i18n;
  const [loaded, setLoaded] = useState<Loaded>(null);
  useEffect(() => void load().then(setLoaded), []);
  return (
    <s-admin-print-action {...(loaded !== null && 'url' in loaded && { src: loaded.url })}>
      {loaded === null ? (
        <s-spinner accessibilityLabel={translate('loading')} />
      ) : 'problem' in loaded ? (
        <s-paragraph>{loaded.problem}</s-paragraph>
      ) : (
        <s-stack gap="base">
          <s-paragraph>{translate('slips', { count: loaded.slips })}</s-paragraph>
          {loaded.ordersWithout > 0 && (
            <s-paragraph>{translate('without', { count: loaded.ordersWithout })}</s-paragraph>
          )}
        </s-stack>
      )}
    </s-admin-print-action>
  );
}

async function load(): Promise<Loaded> {
  const { translate } = shopify.i18n;
  const orders = shopify.data.selected.map(({ id }) => id);
  if (orders.length > MAX_ORDERS) return { problem: translate('tooMany', { most: MAX_ORDERS }) };
  try {
    const body = { orders };
    return await callApi<SlipsToPrint>('POST', '/api/packing-slips', { language: translate('language'), body });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.status === 404) return { problem: translate('notPrinted', { count: orders.length }) };
    return { problem: error.message === '' ? translate('failed') : error.message };
  }
}
