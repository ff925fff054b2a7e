import { useState } from 'preact/hooks';
import type { Api } from '@shopify/ui-extensions/admin.order-details.block.render';
import type { Action } from '../../../src/orders/manual-actions/hold-actions.ts';
import type { ShownStorefrontOrder } from '../../../src/orders/manual-actions/show-order.ts';
import { toNumericId } from '../../shared/call-api.ts';

const TONES = {
  waiting: 'info',
  printing: 'info',
  held: 'warning',
  fulfilled: 'success',
  nothing_to_do: 'neutral',
  shipped: 'neutral',
  canceled: 'neutral',
} as const;
/** The actions that need no further input or decision. The order's page in the app offers all of them. */
const OFFERED = ['approve', 'retry'] as const satisfies Action[];

/** The order's state, holds, packages and costs, and the actions that are possible now. */
export function OrderDetails({
  order,
  i18n,
  isRunning,
  act,
}: {
  order: ShownStorefrontOrder;
  i18n: Api['i18n'];
  isRunning: boolean;
  act: (action: Action) => Promise<void>;
}) {
  const { translate } = i18n;
  const [isChoosing, setApproving] = useState(false);
  const packages = order.printOrders.flatMap((one) => one.packages);
  const possible = OFFERED.filter((action) => order.holds.some(({ actions }) => actions.includes(action)));
  const isApproving = isChoosing && possible.includes('approve');
  return (
    <s-stack gap="base">
      <s-stack direction="inline">
        <s-badge tone={TONES[order.label]}>{translate(`states.${order.label}`)}</s-badge>
      </s-stack>
      {order.reason && <s-paragraph>{order.reason.message}</s-paragraph>}
      {order.holds.map(({ message, remedy, reference, code }) => (
        <s-banner key={`${code}-${reference}`} tone="warning">
          <s-paragraph>{message}</s-paragraph>
          {remedy && <s-paragraph>{remedy}</s-paragraph>}
        </s-banner>
      ))}
      {packages.map(({ trackingCode, trackingUrl }) => (
        <s-paragraph key={trackingCode}>
          {translate(trackingCode === '' ? 'untracked' : 'package')}{' '}
          {trackingUrl === null ? (
            trackingCode
          ) : (
            <s-link href={trackingUrl} target="_blank">
              {trackingCode}
            </s-link>
          )}
        </s-paragraph>
      ))}
      {order.costs && <s-paragraph>{describeCosts(order.costs, i18n)}</s-paragraph>}
      {isApproving && <s-paragraph>{translate('approveText')}</s-paragraph>}
      <s-stack direction="inline" gap="small-100" alignItems="center">
        {possible.map((action) => (
          <s-button
            key={action}
            disabled={isRunning}
            // Printing costs money, so the first press only explains what the second press does.
            onClick={() => {
              const isAsking = action === 'approve' && !isApproving;
              setApproving(isAsking);
              if (!isAsking) void act(action);
            }}
          >
            {translate(action === 'approve' && isApproving ? 'approveNow' : action)}
          </s-button>
        ))}
        {isApproving && <s-button onClick={() => setApproving(false)}>{translate('dismiss')}</s-button>}
        <s-link href={`app:orders/${toNumericId(order.orderId)}`}>{translate('open')}</s-link>
      </s-stack>
    </s-stack>
  );
}

/** Returns sentences about the costs and the margin. If the margin is unknown, gives the reason instead. */
function describeCosts(
  { charged, margin, unknown }: NonNullable<ShownStorefrontOrder['costs']>,
  { translate, formatCurrency }: Api['i18n'],
): string {
  const show = (amount: string, currency: string): string => formatCurrency(Number(amount), { currency });
  const cost = charged && translate('cost', { amount: show(charged.total, charged.currency) });
  const rest = margin ? translate('margin', { amount: show(margin.amount, margin.currency) }) : unknown?.message;
  return [cost, rest].filter(Boolean).join(' ');
}
