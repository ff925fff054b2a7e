import type { Shop } from '../../database/entities/shops.ts';
import type { WaitingOrders } from '../../orders/waits/list-waiting-orders.ts';
import { toAdminUrl } from '../../shops/to-admin-url.ts';
import { html, type Html } from './html.ts';
import { showTime } from './show-time.ts';

/**
 * Renders the orders that are waiting without needing attention, each with the reason and the time of the next step. Returns null if no
 * orders are waiting.
 */
export function renderWaitingOrders({ orders, total }: WaitingOrders, shop: Pick<Shop, 'domain'>): Html | null {
  if (total === 0) return null;
  const count = total === 1 ? 'One order waits.' : `${total} orders wait.`;
  const shown = orders.length < total ? ` The newest ${orders.length} are shown.` : '';
  return html`<section class="card" id="waiting-orders" data-part aria-labelledby="waiting-orders-title">
    <h2 id="waiting-orders-title" tabindex="-1">Waiting orders</h2>
    <p>${count}${shown} You do not need to do anything unless an order says so.</p>
    <ol class="rows">
      ${orders.map((order) => renderOrder(order, shop))}
    </ol>
  </section>`;
}

function renderOrder({ orderId, name, waits }: WaitingOrders['orders'][number], shop: Pick<Shop, 'domain'>): Html {
  const number = orderId.slice(orderId.lastIndexOf('/') + 1);
  const href = toAdminUrl(shop, `orders/${encodeURIComponent(number)}`);
  const reasons = new Map(waits.map((wait) => [wait.message, wait.nextAt]));
  return html`<li>
    <div class="row-head">
      <h3><a href="${href}" target="_top">${name}</a></h3>
    </div>
    ${[...reasons].map(
      ([message, nextAt]) =>
        html`<p class="reason">${message}${nextAt !== null && html` Next: ${showTime(new Date(nextAt))}.`}</p>`,
    )}
  </li>`;
}
