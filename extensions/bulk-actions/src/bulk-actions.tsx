import '@shopify/ui-extensions/preact';
import { render } from 'preact';
import { useState } from 'preact/hooks';
import type { Api } from '@shopify/ui-extensions/admin.order-index.selection-action.render';
import { toNumericId } from '../../shared/call-api.ts';
import { actOnOrders, type Result } from './act-on-orders.ts';

declare const shopify: Api;

const ACTIONS = ['approve', 'retry', 'hold'] as const;
type BulkAction = (typeof ACTIONS)[number];
/** The number of orders on a page of the admin's list. Each order needs one request. */
const MAX_ORDERS = 50;

export default async (): Promise<void> => {
  render(<BulkActions />, document.body);
};

/** Approves, retries or holds the selected orders, and shows the result for each of them. */
function BulkActions() {
  const { translate } = shopify.i18n;
  const orders = shopify.data.selected.map(({ id }) => toNumericId(id));
  const [action, setAction] = useState<BulkAction>('approve');
  const [results, setResults] = useState<readonly Result[]>([]);
  const [isRunning, setRunning] = useState(false);
  const hasTooMany = orders.length > MAX_ORDERS;
  const isDone = results.length > 0 && !isRunning;
  const run = async (): Promise<void> => {
    setRunning(true);
    setResults([]);
    await actOnOrders(orders, action, { i18n: shopify.i18n, onResult: (one) => setResults((all) => [...all, one]) });
    setRunning(false);
  };
  return (
    <s-admin-action heading={translate('name')} loading={isRunning}>
      <s-stack gap="base">
        <s-paragraph>
          {hasTooMany ? translate('tooMany', { most: MAX_ORDERS }) : translate('selected', { count: orders.length })}
        </s-paragraph>
        {!isDone && (
          <s-choice-list
            label={translate('choose')}
            values={[action]}
            disabled={isRunning}
            onChange={(event) => setAction((event.currentTarget.values[0] ?? 'approve') as BulkAction)}
          >
            {ACTIONS.map((one) => (
              <s-choice key={one} value={one}>
                {translate(one)}
                <s-text slot="details">{translate(`${one}Text`)}</s-text>
              </s-choice>
            ))}
          </s-choice-list>
        )}
        {results.map(({ order, name, text, tone }) => (
          <s-banner key={order} tone={tone} heading={name}>
            <s-paragraph>{text}</s-paragraph>
            {/* A refusal may name another action, which the order's page in the app offers. */}
            {tone !== 'success' && <s-link href={`app:orders/${order}`}>{translate('open')}</s-link>}
          </s-banner>
        ))}
      </s-stack>
      <s-button
        slot="primary-action"
        variant="primary"
        disabled={isRunning || hasTooMany}
        onClick={() => (isDone ? shopify.close() : void run())}
      >
        {translate(isDone ? 'close' : action)}
      </s-button>
      {!isDone && (
        <s-button slot="secondary-actions" disabled={isRunning} onClick={() => shopify.close()}>
          {translate('dismiss')}
        </s-button>
      )}
    </s-admin-action>
  );
}
