import type { ShownStorefrontOrder } from '../../../orders/manual-actions/show-order.ts';
import { formatDate, formatMoney, formatNumber } from '../../format.ts';
import { PrintBadge } from '../../parts/state-badge.tsx';
import { texts } from '../../texts/texts.ts';

/** A print order with its items, its shipping methods and its packages. */
export function PrintOrderSection({ printOrder }: { printOrder: ShownStorefrontOrder['printOrders'][number] }) {
  const { reference, state, isClosed, service, shipping, delivery, lines, packages } = printOrder;
  const atService = toStatusName(service.status);
  return (
    <s-section heading={texts.order.printOrder(reference)}>
      <s-stack direction="inline" gap="small-100">
        <PrintBadge state={state} />
        {isClosed && <s-badge>{texts.order.closed}</s-badge>}
        {atService !== null && atService !== texts.printStates[state] && (
          <s-badge tone="info">{texts.order.atService(atService)}</s-badge>
        )}
      </s-stack>
      {service.comment !== null && <s-paragraph>{service.comment}</s-paragraph>}
      <s-unordered-list>
        {lines.map(({ sku, quantity, productUid, serviceStatus, serviceComment }) => (
          <s-list-item key={`${sku} ${productUid}`}>
            {formatNumber(quantity)} × {sku ?? texts.products.noSku} {toStatusName(serviceStatus) ?? ''}{' '}
            {serviceComment ?? ''}
          </s-list-item>
        ))}
      </s-unordered-list>
      <Shipping shipping={shipping} delivery={delivery} />
      <s-stack gap="small-300">
        <s-heading>{texts.order.packages}</s-heading>
        {packages.length === 0 ? (
          <s-paragraph color="subdued">{texts.order.noPackages}</s-paragraph>
        ) : (
          packages.map(({ trackingCode, trackingUrl, methodName }) => (
            <s-paragraph key={trackingCode}>
              {methodName ?? ''} {trackingCode}{' '}
              {trackingUrl !== null && (
                <s-link href={trackingUrl} target="_blank">
                  {texts.order.track}
                </s-link>
              )}
            </s-paragraph>
          ))
        )}
      </s-stack>
    </s-section>
  );
}

/** Returns the print service's status in words. A status that this version does not know is shown without underscores. */
function toStatusName(status: string | null): string | null {
  return status === null ? null : (texts.order.serviceStatuses[status] ?? status.replaceAll('_', ' '));
}

/** The shipping methods that the print service offered, the chosen one, and the reason for the choice. */
function Shipping({
  shipping: { chosen, rule, offered },
  delivery: { from, to },
}: Pick<ShownStorefrontOrder['printOrders'][number], 'shipping' | 'delivery'>) {
  if (chosen === null && offered.length === 0) return null;
  return (
    <s-stack gap="small-300">
      <s-heading>{texts.order.shipping}</s-heading>
      {offered.map(({ uid, name, price, currency }) => (
        <s-paragraph key={uid} fontWeight={uid === chosen ? 'semibold' : 'auto'}>
          {uid === chosen ? '✓ ' : ''}
          {name ?? uid} {price !== '' && currency !== '' && formatMoney(String(price), currency)}
        </s-paragraph>
      ))}
      {rule !== null && (
        <s-paragraph color="subdued">
          {texts.order.why}: {rule}
        </s-paragraph>
      )}
      {from !== null && to !== null && (
        <s-paragraph>
          {texts.order.delivery}: {texts.order.between(formatDate(from.slice(0, 10)), formatDate(to.slice(0, 10)))}
        </s-paragraph>
      )}
    </s-stack>
  );
}
