import { useRef, useState } from 'preact/hooks';
import { toNumericId, formatNumber, formatTime } from '../../format.ts';
import { useAction } from '../../use-action.ts';
import { toFieldMessage } from '../../to-field-message.ts';
import { texts } from '../../texts/texts.ts';
import { toTargetName, settleWaitingOrders, toElementId, type Target, type WaitingOrders } from './target.ts';

/** A button that lists the orders that are waiting for a link, and prints or leaves them once the merchant confirms. */
export function SettleWaitingOrders({
  word,
  target,
  onDone,
}: {
  word: 'print' | 'leave';
  target: Target;
  onDone: () => Promise<void>;
}) {
  const modal = useRef<HTMLElementTagNameMap['s-modal']>(null);
  const [waiting, setWaiting] = useState<WaitingOrders | null>(null);
  const { error, isRunning, run } = useAction();
  const id = `${word}-${toElementId(target)}`;
  const label = texts.products[word];
  const list = async (): Promise<void> => {
    setWaiting(null);
    modal.current?.showOverlay();
    await run(async () => setWaiting(await settleWaitingOrders(word, target, { dryRun: true })));
  };
  const settle = (): Promise<boolean> =>
    run(async () => {
      await settleWaitingOrders(word, target);
      modal.current?.hideOverlay();
      await onDone();
    });
  return (
    <>
      <s-button onClick={() => void list()}>{label}</s-button>
      <s-modal id={id} ref={modal} heading={texts.order.confirmTitle(label, toTargetName(target))}>
        {error !== null && (
          <s-banner tone="critical">
            <s-paragraph>{toFieldMessage(error)}</s-paragraph>
          </s-banner>
        )}
        {waiting !== null && <Orders word={word} waiting={waiting} />}
        {waiting === null && isRunning && <s-spinner accessibilityLabel={texts.app.loading} />}
        <s-button slot="secondary-actions" commandFor={id} command="--hide">
          {texts.app.close}
        </s-button>
        <s-button
          slot="primary-action"
          variant="primary"
          disabled={waiting === null || waiting.orders === 0 || isRunning}
          onClick={() => void settle()}
        >
          {word === 'print' ? texts.products.printNow : label}
        </s-button>
      </s-modal>
    </>
  );
}

function Orders({ word, waiting: { orders, found } }: { word: 'print' | 'leave'; waiting: WaitingOrders }) {
  const { printText, leaveText, onlyFirst } = texts.products;
  return (
    <s-stack gap="small-100">
      <s-paragraph>{word === 'print' ? printText(orders) : leaveText(orders)}</s-paragraph>
      <s-unordered-list>
        {found.map(({ orderId, name, placedAt, lines }) => (
          <s-list-item key={orderId}>
            <s-link href={`/orders/${toNumericId(orderId)}`}>{name}</s-link> {formatTime(placedAt)}:{' '}
            {lines.map(({ sku, quantity }) => `${formatNumber(quantity)} × ${sku ?? texts.products.noSku}`).join(', ')}
          </s-list-item>
        ))}
      </s-unordered-list>
      {orders > found.length && <s-paragraph>{onlyFirst(found.length)}</s-paragraph>}
    </s-stack>
  );
}
