import type { OrderHold } from '../../../orders/manual-actions/show-holds.ts';
import type { ShownStorefrontOrder } from '../../../orders/manual-actions/show-order.ts';
import { toHoldName } from '../../parts/to-hold-name.ts';
import { texts } from '../../texts/texts.ts';
import { describeCost } from './describe-cost.ts';
import { HoldChoices } from './hold-choices.tsx';
import type { ActionResult } from './order-actions.tsx';

/** A hold on an order's page: what happened, what to do, and the buttons for it. */
export function HoldBanner({
  id,
  order,
  hold,
  onChangeAddress,
  onResult,
}: {
  id: string;
  order: ShownStorefrontOrder;
  hold: OrderHold;
  onChangeAddress: () => void;
  onResult: (result: ActionResult) => Promise<void>;
}) {
  return (
    <s-banner tone="warning" heading={toHoldName(hold.code)}>
      <s-stack gap="small-100">
        <s-paragraph>{hold.message}</s-paragraph>
        <s-paragraph>
          {texts.home.remedy}: {hold.remedy}
        </s-paragraph>
        {hold.adminUrl !== null && (
          <s-link href={hold.adminUrl} target="_top">
            {texts.order.openInStore}
          </s-link>
        )}
        <HoldChoices
          id={id}
          order={order}
          hold={hold}
          onChangeAddress={onChangeAddress}
          readCost={(action) => describeCost(order, action, hold.reference)}
          onResult={onResult}
        />
      </s-stack>
    </s-banner>
  );
}
