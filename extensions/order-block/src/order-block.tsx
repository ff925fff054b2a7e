import '@shopify/ui-extensions/preact';
import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Api } from '@shopify/ui-extensions/admin.order-details.block.render';
import type { ManualActionResult } from '../../../src/orders/manual-actions/perform-manual-action.ts';
import type { ShownStorefrontOrder } from '../../../src/orders/manual-actions/show-order.ts';
import { ApiError, callApi, toNumericId } from '../../shared/call-api.ts';
import { OrderDetails, type AppRequest } from './order-details.tsx';

declare const shopify: Api;

type Loaded = { order: ShownStorefrontOrder } | { problem: string } | null;

export default async (): Promise<void> => {
  render(<OrderBlock />, document.body);
};

/** Shows an order's state in Platen on the order's page in the admin. */
function OrderBlock() {
  const { translate } = shopify.i18n;
  const [loaded, setLoaded] = useState<Loaded>(null);
  const [done, setDone] = useState<string | null>(null);
  const [isRunning, setRunning] = useState(false);
  const path = `/api/orders/${toNumericId(shopify.data.selected[0]?.id ?? '')}`;
  const language = translate('language');
  const load = async (): Promise<void> => {
    try {
      setLoaded({ order: await callApi<ShownStorefrontOrder>('GET', path, { language }) });
    } catch (error) {
      const isUnknown = error instanceof ApiError && error.status === 404;
      setLoaded({ problem: isUnknown ? translate('notPrinted') : explainError(error, { empty: 'failed' }) });
    }
  };
  const send = async ({ path: to, body, done: message }: AppRequest): Promise<void> => {
    setRunning(true);
    setDone(null);
    try {
      const result = await callApi<Partial<ManualActionResult>>('POST', to, { language, body });
      const why = result.stillHeld?.join(' ') ?? '';
      setDone(why === '' ? (message ?? result.done?.join(' ') ?? '') : translate('stillHeld', { why }));
    } catch (error) {
      // The order is loaded again below, so that the merchant can see whether the action took effect.
      setDone(explainError(error, { empty: 'uncertain' }));
    }
    await load();
    setRunning(false);
  };
  useEffect(() => void load(), []);
  return (
    <s-admin-block heading={translate('name')}>
      {loaded === null ? (
        <s-spinner accessibilityLabel={translate('loading')} />
      ) : 'problem' in loaded ? (
        <s-paragraph>{loaded.problem}</s-paragraph>
      ) : (
        <OrderDetails order={loaded.order} i18n={shopify.i18n} isRunning={isRunning} send={send} />
      )}
      {done !== null && <s-paragraph>{done}</s-paragraph>}
    </s-admin-block>
  );
}

/** Returns the app's message, or the text `empty` if the app sent none. */
function explainError(error: unknown, { empty }: { empty: 'failed' | 'uncertain' }): string {
  if (!(error instanceof ApiError)) throw error;
  return error.message === '' ? shopify.i18n.translate(empty) : error.message;
}
