import type { Shop } from '../../database/entities/shops.ts';
import type { HeldOrder, HeldOrdersPage } from '../../orders/lists/list-held-orders.ts';
import { toAdminUrl } from '../../shops/to-admin-url.ts';
import { html, type Html } from './html.ts';
import { showTime } from './show-time.ts';

/** The data for the links: the orders' shop and the page's URL at another cursor. */
export interface HeldOrdersLinks {
  shop: Pick<Shop, 'domain'>;
  pageAt: (cursor: string | null) => string;
}

/**
 * Renders the orders that are waiting for a person, each with its problem and remedy. `isFirst`: whether this is the first page, with the
 * newest orders.
 */
export function renderHeldOrders(page: HeldOrdersPage, isFirst: boolean, links: HeldOrdersLinks): Html {
  return html`<section class="card" id="held-orders" data-part aria-labelledby="held-orders-title">
    <h2 id="held-orders-title" tabindex="-1">Orders on hold</h2>
    ${
      page.total === 0
        ? html`<p>No orders are on hold.</p>`
        : html`<p>${describeTotal(page, isFirst)}</p>
            <ol class="rows">
              ${page.orders.map((order) => renderOrder(order, links))}
            </ol>
            ${renderLinks(page, isFirst, links)}`
    }
  </section>`;
}

function describeTotal({ total, orders }: HeldOrdersPage, isFirst: boolean): string {
  const held = total === 1 ? 'One order is waiting for you.' : `${total} orders are waiting for you, newest first.`;
  if (isFirst && orders.length === total) return held;
  return `${held} ${isFirst ? 'The first' : 'The next'} ${orders.length} are shown.`;
}

function renderOrder({ orderId, name, holds }: HeldOrder, { shop }: HeldOrdersLinks): Html {
  const number = orderId.slice(orderId.lastIndexOf('/') + 1);
  const href = toAdminUrl(shop, `orders/${encodeURIComponent(number)}`);
  const [oldest] = holds;
  const since = oldest ? html`<span class="since">since ${showTime(oldest.since)}</span>` : null;
  const byRemedy = Map.groupBy(holds, ({ remedy }) => remedy);
  return html`<li>
    <div class="row-head">
      <h3><a href="${href}" target="_top">${name === '' ? number : name}</a></h3>
      ${since}
    </div>
    ${[...byRemedy].map(
      ([remedy, ofRemedy]) =>
        html`${[...new Map(ofRemedy.map((hold) => [`${hold.message} ${hold.adminUrl}`, hold])).values()].map(renderReason)}
          <p class="remedy"><strong>What to do:</strong> ${remedy}</p>`,
    )}
  </li>`;
}

function renderReason({ message, adminUrl }: HeldOrder['holds'][number]): Html {
  const link = adminUrl === null ? null : html` <a href="${adminUrl}" target="_top">Open the product</a>`;
  return html`<p class="reason">${message}${link}</p>`;
}

function renderLinks({ nextCursor }: HeldOrdersPage, isFirst: boolean, { pageAt }: HeldOrdersLinks): Html | null {
  if (nextCursor === null && isFirst) return null;
  return html`<nav aria-label="Pages of the orders on hold">
    ${!isFirst && html`<a href="${pageAt(null)}" data-page>Back to the newest</a>`}
    ${nextCursor !== null && html`<a href="${pageAt(nextCursor)}" data-page>Next 25</a>`}
  </nav>`;
}
