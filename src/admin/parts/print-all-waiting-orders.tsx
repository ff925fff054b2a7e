import { useEffect, useState } from 'preact/hooks';
import type { SettledUnlinked } from '../../orders/unlinked/settle-unlinked-lines.ts';
import { callApi } from '../api.ts';
import { toNumericId } from '../format.ts';
import { useAction } from '../use-action.ts';
import { toFieldMessage } from '../to-field-message.ts';
import { texts } from '../texts/texts.ts';
import { ConfirmButton } from './confirm-button.tsx';

const MAX_SHOWN = 20;

/** Offers to print the orders that were waiting for links that now exist. Shows nothing if no order is waiting. */
export function PrintAllWaitingOrders() {
  const [found, setFound] = useState<SettledUnlinked | null>(null);
  const { error, run } = useAction();
  const [isDone, setDone] = useState(false);
  const requestPrinting = async (dryRun: boolean): Promise<void> => {
    await run(async () => {
      const settled = await callApi<SettledUnlinked>(
        'POST',
        '/api/print-links/print',
        { all: true, dryRun },
        { isReadOnlyRequest: dryRun },
      );
      if (dryRun) setFound(settled);
      else setDone(true);
    });
  };
  useEffect(() => void requestPrinting(true), []);
  if (isDone) return <s-banner tone="success">{texts.waitingPrint.done}</s-banner>;
  if (found === null || found.orders === 0)
    return error === null ? null : <s-banner tone="critical">{toFieldMessage(error)}</s-banner>;
  const shown = found.found.slice(0, MAX_SHOWN);
  return (
    <s-section heading={texts.waitingPrint.heading(found.orders)}>
      <s-paragraph>{texts.waitingPrint.text}</s-paragraph>
      <s-unordered-list>
        {shown.map(({ orderId, name, lines }) => (
          <s-list-item key={orderId}>
            <s-link href={`/orders/${toNumericId(orderId)}`}>{name}</s-link>{' '}
            {texts.waitingPrint.items(
              lines.map(({ sku, quantity }) => `${quantity} × ${sku ?? texts.products.noSku}`).join(', '),
            )}
          </s-list-item>
        ))}
      </s-unordered-list>
      {found.orders > shown.length && <s-paragraph>{texts.waitingPrint.more(found.orders - shown.length)}</s-paragraph>}
      {error !== null && <s-text tone="critical">{toFieldMessage(error)}</s-text>}
      <s-stack direction="inline">
        <ConfirmButton
          id="print-waiting"
          label={texts.waitingPrint.print}
          title={texts.waitingPrint.print}
          text={texts.waitingPrint.confirm(found.orders)}
          onConfirm={() => requestPrinting(false)}
        />
      </s-stack>
    </s-section>
  );
}
