import type { Action, HoldStep } from '../../../orders/manual-actions/hold-actions.ts';
import type { OrderHold } from '../../../orders/manual-actions/show-holds.ts';
import { ApiError, callApi } from '../../api.ts';
import { toNumericId } from '../../format.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { texts } from '../../texts/texts.ts';
import { OwnProduct } from '../products/own-product.tsx';
import { SettleWaitingOrders } from '../products/settle-waiting-orders.tsx';
import { toLinkHref } from '../products/target.ts';
import { OrderActions, toActionMessage, type ActionResult } from './order-actions.tsx';

/** What the merchant can change in an order before it is sent to print. */
export type OrderChange = 'address' | 'shipping';

interface Props {
  /** The start of the IDs of these elements. */
  id: string;
  order: { orderId: string; name: string };
  hold: OrderHold;
  /** Opens the form for the change. Null: the buttons are not on the order's page, which has the forms. */
  onChange: ((what: OrderChange) => void) | null;
  readCost: (action: Action) => Promise<string | null>;
  onResult: (result: ActionResult) => Promise<void>;
}

/** Everything that a hold's remedy names: the steps that fix its cause, and the actions on its order. */
export function HoldChoices({ id, order, hold, onChange, readCost, onResult }: Props) {
  return (
    <s-stack gap="small-100">
      {hold.steps.length > 0 && (
        <s-stack direction="inline" gap="small-100">
          {hold.steps.map((step) => (
            <StepButton key={step} {...{ id, step, order, hold, onChange, onResult }} />
          ))}
        </s-stack>
      )}
      <OrderActions
        id={id}
        orderId={order.orderId}
        name={order.name}
        actions={hold.actions}
        printOrder={hold.reference}
        readCost={readCost}
        onResult={onResult}
      />
    </s-stack>
  );
}

function StepButton({ id, step, order, hold, onChange, onResult }: Omit<Props, 'readCost'> & { step: HoldStep }) {
  const label = texts.steps[step];
  const target = hold.variant ?? { variantId: null, productId: null, sku: null };
  const run = async (request: () => Promise<string>): Promise<void> => {
    try {
      await onResult({ tone: 'success', lines: [await request()] });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      await onResult({ tone: 'critical', lines: [toActionMessage(error)] });
    }
  };
  switch (step) {
    case 'change-address':
    case 'change-shipping': {
      const what = step === 'change-address' ? 'address' : 'shipping';
      // If the merchant has to choose between the two, neither is the primary one.
      const variant = hold.steps.includes('change-shipping') ? 'secondary' : 'primary';
      return onChange === null ? (
        <s-button variant={variant} href={`/orders/${toNumericId(order.orderId)}?change=${what}`}>
          {label}
        </s-button>
      ) : (
        <s-button variant={variant} onClick={() => onChange(what)}>
          {label}
        </s-button>
      );
    }
    case 'link-variant':
    case 'link-sku':
      return (
        <s-button
          variant="primary"
          href={toLinkHref(step === 'link-sku' ? { variantId: null, sku: target.sku } : target)}
        >
          {label}
        </s-button>
      );
    case 'print-waiting':
    case 'leave-waiting': {
      const word = step === 'print-waiting' ? 'print' : 'leave';
      const onDone = (): Promise<void> => run(() => Promise.resolve(texts.products.settled[word]));
      return <SettleWaitingOrders word={word} target={target} onDone={onDone} />;
    }
    case 'own-product':
      return <OwnProduct variant={target} onConfirm={run} />;
    case 'allow-other-app':
      return (
        <ConfirmButton
          id={`${id}-${step}`}
          label={label}
          title={label}
          text={texts.order.allowOtherAppText}
          isCritical
          onConfirm={() =>
            run(() => callApi('POST', '/api/settings/allow-other-app').then(() => texts.order.otherAppAllowed))
          }
        />
      );
    default:
      return (
        <s-button variant="tertiary" href={`/${step}`}>
          {label}
        </s-button>
      );
  }
}
