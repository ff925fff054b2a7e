import { useState } from 'preact/hooks';
import type { ShownStorefrontOrder } from '../../../orders/manual-actions/show-order.ts';
import { toNumericId, formatMoney, formatTimeWithSeconds, formatTime } from '../../format.ts';
import { HoldChoices, type OrderChange } from './hold-choices.tsx';
import { AddressSection } from './address-form.tsx';
import { hasPartWithoutPrintOrder } from './order-phase.ts';
import { OrderLines } from './order-lines.tsx';
import { OrderActions, ResultBanner, type ActionResult } from './order-actions.tsx';
import { describeCost } from './describe-cost.ts';
import { PrintOrderSection } from './print-order-section.tsx';
import { Recipients } from './recipients.tsx';
import { OrderBadge } from '../../parts/state-badge.tsx';
import { toHoldName } from '../../parts/to-hold-name.ts';
import { ShippingSection } from './shipping-form.tsx';
import { route } from '../../router.ts';
import { texts } from '../../texts/texts.ts';
import { UnsentSection } from './unsent-section.tsx';

interface OrderProps {
  order: ShownStorefrontOrder;
  reload: () => Promise<void>;
}

/** An order's state, holds, items, print orders and timeline, with everything that the merchant can do now. */
export function Order({ order, reload }: OrderProps) {
  const [result, setResult] = useState<ActionResult | null>(null);
  const [changing, setChanging] = useState<OrderChange | null>(readChange);
  const onResult = async (latest: ActionResult): Promise<void> => {
    setResult(latest);
    await reload();
  };
  const change = {
    order,
    onDone: async (lines: string[]): Promise<void> => {
      setChanging(null);
      await onResult({ tone: 'success', lines });
    },
    onDismiss: () => setChanging(null),
  };
  const addressHolds = order.holds.filter(({ steps }) => steps.includes('change-address'));
  // Without an address that the print service accepts, there is no quote to choose from.
  const isAddressHeld = addressHolds.some(({ reference }) => reference === null);
  // A hold that concerns the address or the method already offers the same form.
  const canChangeAddress = order.canChange.address && addressHolds.length === 0;
  const isMethodHeld = order.holds.some(({ steps }) => steps.includes('change-shipping'));
  const canChangeMethod = order.canChange.shipping && !isAddressHeld && !isMethodHeld;
  const changeMethod = (): void => setChanging('shipping');
  return (
    <>
      {result && <ResultBanner result={result} />}
      <s-section>
        <s-stack direction="inline" gap="small-100" alignItems="center">
          <OrderBadge label={order.label} />
          <s-text color="subdued">
            {texts.order.placed} {formatTime(order.placedAt)}
          </s-text>
        </s-stack>
        {order.reason && <s-paragraph>{order.reason.message}</s-paragraph>}
        {order.waits.map(({ message, nextAt }) => (
          <s-paragraph key={message}>
            {message} {nextAt !== null && texts.home.nextTry(formatTime(nextAt))}
          </s-paragraph>
        ))}
        {order.actions.length > 0 && (
          <OrderActions
            id="order"
            orderId={order.orderId}
            name={order.name}
            actions={order.actions}
            readCost={(action) => describeCost(order, action, null)}
            onResult={onResult}
          />
        )}
        {(canChangeAddress || (canChangeMethod && !hasPartWithoutPrintOrder(order))) && (
          <s-stack direction="inline" gap="small-100">
            {canChangeAddress && (
              <s-button onClick={() => setChanging('address')}>{texts.order.change.address}</s-button>
            )}
            {canChangeMethod && !hasPartWithoutPrintOrder(order) && (
              <s-button onClick={changeMethod}>{texts.order.change.method}</s-button>
            )}
          </s-stack>
        )}
      </s-section>
      {order.holds.map((hold, index) => (
        <s-banner key={`${hold.code} ${hold.reference}`} tone="warning" heading={toHoldName(hold.code)}>
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
              id={`hold-${index}`}
              order={order}
              hold={hold}
              onChange={setChanging}
              readCost={(action) => describeCost(order, action, hold.reference)}
              onResult={onResult}
            />
          </s-stack>
        </s-banner>
      ))}
      {changing === 'address' && <AddressSection {...change} />}
      {hasPartWithoutPrintOrder(order) && (
        // Each step of the order may change what would be printed.
        <UnsentSection
          key={order.timeline.length}
          orderId={toNumericId(order.orderId)}
          onChangeMethod={canChangeMethod ? changeMethod : null}
        />
      )}
      {changing === 'shipping' && <ShippingSection {...change} />}
      <OrderLines order={order} />
      {order.printOrders.map((printOrder) => (
        <PrintOrderSection key={printOrder.reference} printOrder={printOrder} />
      ))}
      {order.printOrders.length > 0 && <Recipients orderId={toNumericId(order.orderId)} />}
      {order.costs && <Costs costs={order.costs} />}
      <Timeline timeline={order.timeline} />
    </>
  );
}

/** Returns the form that the page's address asks for, such as from a button on the home page. */
function readChange(): OrderChange | null {
  const what = route.value.query.get('change');
  return what === 'address' || what === 'shipping' ? what : null;
}

function Costs({ costs: { paid, charged, margin, unknown } }: { costs: NonNullable<ShownStorefrontOrder['costs']> }) {
  const rows: [name: string, amount: string | undefined, currency: string | undefined][] = [
    [texts.order.sale, paid?.total, paid?.currency],
    [texts.order.cost, charged?.total, charged?.currency],
    [texts.order.margin, margin?.amount, margin?.currency],
  ];
  return (
    <s-section heading={texts.order.costs}>
      {rows.map(
        ([name, amount, currency]) =>
          amount !== undefined &&
          currency !== undefined && (
            <s-stack key={name} direction="inline" justifyContent="space-between">
              <s-text>{name}</s-text>
              <s-text fontVariantNumeric="tabular-nums">{formatMoney(amount, currency)}</s-text>
            </s-stack>
          ),
      )}
      {unknown && <s-paragraph color="subdued">{unknown.message}</s-paragraph>}
    </s-section>
  );
}

function Timeline({ timeline }: { timeline: ShownStorefrontOrder['timeline'] }) {
  return (
    <s-section heading={texts.order.timeline}>
      {timeline.length === 0 && <s-paragraph color="subdued">{texts.order.noTimeline}</s-paragraph>}
      <s-stack gap="small">
        {timeline.toReversed().map(({ at, message, reference }, index) => (
          <s-stack key={`${at} ${index}`} gap="small-500">
            <s-text color="subdued" fontSize="small">
              {formatTimeWithSeconds(at)} {reference ?? ''}
            </s-text>
            <s-paragraph>{message}</s-paragraph>
          </s-stack>
        ))}
      </s-stack>
    </s-section>
  );
}
