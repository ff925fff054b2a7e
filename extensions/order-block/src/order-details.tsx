import { useState } from 'preact/hooks';
import type { Api } from '@shopify/ui-extensions/admin.order-details.block.render';
import type { Action, HoldStep } from '../../../src/orders/manual-actions/hold-actions.ts';
import type { OrderHold } from '../../../src/orders/manual-actions/show-holds.ts';
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

/** A request to the app. Its response is a list of sentences, or nothing. */
export interface AppRequest {
  path: string;
  body: object;
  /** The message if the response contains none. */
  done?: string;
}

interface Props {
  order: ShownStorefrontOrder;
  i18n: Api['i18n'];
  isRunning: boolean;
  send: (request: AppRequest) => Promise<void>;
}

/** The order's state, holds, packages and costs, and everything that a hold's remedy names. */
export function OrderDetails({ order, i18n, isRunning, send }: Props) {
  const { translate } = i18n;
  const packages = order.printOrders.flatMap((one) => one.packages);
  const choices = { orderId: toNumericId(order.orderId), i18n, isRunning, send };
  return (
    <s-stack gap="base">
      <s-stack direction="inline">
        <s-badge tone={TONES[order.label]}>{translate(`states.${order.label}`)}</s-badge>
      </s-stack>
      {order.reason && <s-paragraph>{order.reason.message}</s-paragraph>}
      {/* The app's page offers the other actions. This one may be named by the reason. */}
      <Choices {...choices} actions={order.actions.filter((action) => action === 'approve')} />
      {order.holds.map((hold) => (
        <s-stack key={`${hold.code}-${hold.reference}`} gap="small-100">
          <s-banner tone="warning">
            <s-paragraph>{hold.message}</s-paragraph>
            {hold.remedy && <s-paragraph>{hold.remedy}</s-paragraph>}
          </s-banner>
          <Choices {...choices} actions={hold.actions} hold={hold} />
        </s-stack>
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
      <s-link href={`app:orders/${toNumericId(order.orderId)}`}>{translate('open')}</s-link>
    </s-stack>
  );
}

/** What the merchant is asked to confirm. */
interface Question {
  label: string;
  text: string;
  request: AppRequest;
}

/** The actions on an order and the steps of its hold. */
function Choices({
  orderId,
  actions,
  hold = null,
  i18n: { translate },
  isRunning,
  send,
}: Omit<Props, 'order'> & { orderId: string; actions: readonly Action[]; hold?: OrderHold | null }) {
  const [question, ask] = useState<Question | null>(null);
  const variant = hold?.variant ?? null;
  const printOrder = hold?.reference ?? null;
  const confirm = (request: AppRequest): void => {
    ask(null);
    void send(request);
  };
  const toQuestion = (step: HoldStep): Question | null => {
    const label = translate(toStepKey(step));
    if (step === 'allow-other-app')
      return {
        label,
        text: translate('allowOtherAppText'),
        request: { path: '/api/settings/allow-other-app', body: {}, done: translate('otherAppAllowed') },
      };
    const { productId = null, variantId = null } = variant ?? {};
    if (step !== 'own-product' || (productId ?? variantId) === null) return null;
    const body = productId === null ? { variantId } : { productId };
    return {
      label,
      text: translate('ownText'),
      request: { path: '/api/print-links/own', body, done: translate('owned') },
    };
  };
  if (question !== null)
    return (
      <s-stack gap="small-100">
        <s-paragraph>{question.text}</s-paragraph>
        <s-stack direction="inline" gap="small-100">
          <s-button variant="primary" onClick={() => confirm(question.request)}>
            {translate('confirm', { action: question.label })}
          </s-button>
          <s-button onClick={() => ask(null)}>{translate('dismiss')}</s-button>
        </s-stack>
      </s-stack>
    );
  if (actions.length === 0 && hold === null) return null;
  return (
    <s-stack direction="inline" gap="small-100">
      {hold?.steps.map((step) => {
        const asked = toQuestion(step);
        return asked === null ? (
          <s-button key={step} disabled={isRunning} href={`app:${toAppPath(step, orderId, variant)}`}>
            {translate(toStepKey(step))}
          </s-button>
        ) : (
          <s-button key={step} disabled={isRunning} onClick={() => ask(asked)}>
            {asked.label}
          </s-button>
        );
      })}
      {actions.map((action) => {
        const request = { path: `/api/orders/${orderId}/${action}`, body: { printOrder } };
        const label = translate(`actions.${action}`);
        return (
          <s-button
            key={action}
            disabled={isRunning}
            // A retry prints nothing twice. Every other action is explained before it runs.
            onClick={() =>
              action === 'retry' ? confirm(request) : ask({ label, text: translate(`texts.${action}`), request })
            }
          >
            {label}
          </s-button>
        );
      })}
    </s-stack>
  );
}

/** Returns the key of a step's label. Keys of translations are nested with dots. */
function toStepKey(step: HoldStep): string {
  return `steps.${step.replace('/', '.')}`;
}

/** Returns the page of the app on which the merchant can take a step. */
function toAppPath(step: HoldStep, orderId: string, variant: OrderHold['variant']): string {
  if (step === 'change-address') return `orders/${orderId}?change=address`;
  if (step === 'change-shipping') return `orders/${orderId}?change=shipping`;
  if (step === 'link-variant' || step === 'link-sku') {
    const { variantId = null, sku = null } = variant ?? {};
    const target = new URLSearchParams({
      ...(step === 'link-variant' && variantId !== null && { variantId: toNumericId(variantId) }),
      ...(sku !== null && { sku }),
    });
    return `products/link?${target}`;
  }
  if (step === 'products' || step.startsWith('settings/')) return step;
  return `orders/${orderId}`;
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
