import { useState } from 'preact/hooks';
import type { OfferedShipping } from '../../../orders/manual-actions/changes/offer-shipping.ts';
import { callApi } from '../../api.ts';
import { toFieldMessage } from '../../to-field-message.ts';
import { toNumericId, formatDate, formatMoney, formatNumber } from '../../format.ts';
import { PageState } from '../../parts/page-state.tsx';
import { texts } from '../../texts/texts.ts';
import { useAction } from '../../use-action.ts';
import { useData } from '../../use-data.ts';
import type { ChangeProps } from './address-form.tsx';

type Part = OfferedShipping['parts'][number];
type Method = Part['methods'][number];

/** The shipping methods and prices that the print service currently offers for the items that have not been sent to print yet. */
export function ShippingSection({ order, onDone, onDismiss }: ChangeProps) {
  const path = `/api/orders/${toNumericId(order.orderId)}/shipping`;
  const loaded = useData<OfferedShipping>(path);
  return (
    <s-section heading={texts.order.change.method}>
      <PageState loaded={loaded} rows={4}>
        {(offered) => <Methods path={path} offered={offered} onDone={onDone} onDismiss={onDismiss} />}
      </PageState>
    </s-section>
  );
}

interface MethodsProps extends Omit<ChangeProps, 'order'> {
  path: string;
  offered: OfferedShipping;
}

function Methods({ path, offered: { byHand, parts }, onDone, onDismiss }: MethodsProps) {
  const [chosen, setChosen] = useState(parts.map(({ methods }) => methods.find((one) => one.isChosen)?.uid ?? ''));
  const { error, isRunning, run } = useAction();
  const choose = (method: string[] | null): void =>
    void run(async () => onDone((await callApi<{ done: string[] }>('POST', path, { method })).done));
  return (
    <s-stack gap="base">
      <s-paragraph>{texts.order.change.methodText}</s-paragraph>
      {error !== null && <s-banner tone="critical">{toFieldMessage(error)}</s-banner>}
      {parts.map((part, index) => (
        <s-stack key={index} gap="small-200">
          {part.lack !== null && <s-banner tone="warning">{texts.settings.noMethod(part.lack)}</s-banner>}
          <s-choice-list
            label={texts.order.change.part(nameOf(part))}
            values={[chosen[index] ?? '']}
            onChange={({ currentTarget: { values } }) => setChosen(chosen.with(index, values[0] ?? ''))}
          >
            {part.methods.map((method) => (
              <s-choice key={method.uid} value={method.uid} selected={method.uid === chosen[index]}>
                {method.price === null ? method.name : `${method.name}: ${formatMoney(method.price, method.currency)}`}
                <s-text slot="details">{detailsOf(method)}</s-text>
              </s-choice>
            ))}
          </s-choice-list>
          {part.rule !== null && (
            <s-paragraph color="subdued">
              {texts.order.why}: {part.rule}
            </s-paragraph>
          )}
        </s-stack>
      ))}
      <s-stack direction="inline" gap="small-100">
        <s-button variant="primary" loading={isRunning} disabled={chosen.includes('')} onClick={() => choose(chosen)}>
          {texts.order.change.use}
        </s-button>
        {byHand !== null && (
          <s-button disabled={isRunning} onClick={() => choose(null)}>
            {texts.order.change.rules}
          </s-button>
        )}
        <s-button onClick={onDismiss}>{texts.order.change.dismiss}</s-button>
      </s-stack>
    </s-stack>
  );
}

function nameOf({ lines }: Part): string {
  return lines.map(({ sku, quantity }) => `${formatNumber(quantity)} × ${sku ?? texts.products.noSku}`).join(', ');
}

/** Returns the method's cost relative to the chosen method, and its delivery dates. */
function detailsOf({ isChosen, difference, currency, from, to }: Method): string {
  const { more, less, now } = texts.order.change;
  const amount = formatMoney((difference ?? '').replace('-', ''), currency);
  const cost =
    difference === null || Number(difference) === 0 ? '' : difference.startsWith('-') ? less(amount) : more(amount);
  const arrival = from === null || to === null ? '' : texts.order.between(formatDate(from), formatDate(to));
  return [isChosen ? now : cost, arrival].filter((part) => part !== '').join(', ');
}
