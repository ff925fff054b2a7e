import type { UnlinkedPage, UnlinkedVariant } from '../../orders/unlinked/list-unlinked.ts';
import { renderAct } from './forms.ts';
import { html, type Html } from './html.ts';
import { showTime } from './show-time.ts';

/** The command line and the API list further variants. */
const MOST_SHOWN = 10;

/** Renders the orders that were not printed because a variant was not linked, grouped by variant, with the merchant's choices. */
export function renderUnlinked({ variants, next }: UnlinkedPage): Html {
  const isMore = next !== null || variants.length > MOST_SHOWN;
  const card = html`<section class="card" aria-labelledby="unlinked-title">
    <h2 id="unlinked-title" tabindex="-1">Not printed: not linked</h2>
    <ol class="rows">
      ${variants.slice(0, MOST_SHOWN).map(renderVariant)}
    </ol>
    ${isMore && html`<p>More variants are waiting. The command “platen links waiting” lists all of them.</p>`}
  </section>`;
  return html`<div id="unlinked" data-part>${variants.length > 0 && card}</div>`;
}

function renderVariant(variant: UnlinkedVariant): Html {
  const { adminUrl, orders, since, linked } = variant;
  const name = nameOf(variant);
  const count = orders === 1 ? 'One order' : `${orders} orders`;
  return html`<li>
    <div class="row-head">
      <h3>${adminUrl === null ? name : html`<a href="${adminUrl}" target="_top">${name}</a>`}</h3>
      <span class="since">${count} since ${showTime(new Date(since))}</span>
    </div>
    ${linked ? renderLinked(variant, count) : renderNotLinked(variant, count)}
  </li>`;
}

function nameOf({ sku, variantId }: UnlinkedVariant): string {
  if (sku) return sku;
  return variantId === null ? 'A line without a SKU' : `Variant ${variantId.slice(variantId.lastIndexOf('/') + 1)}`;
}

function renderLinked(variant: UnlinkedVariant, count: string): Html {
  const { since, orders } = variant;
  const [wait, them] = orders === 1 ? ['waits', 'it'] : ['wait', 'them'];
  return html`<p class="reason">
      ${count} placed since ${showTime(new Date(since))} ${wait} for your decision. Print ${them}?
    </p>
    ${renderAct('/api/print-links/print', toTarget(variant), 'Print', {
      yes: 'Yes, print',
      preview: true,
      done: 'These orders are being sent to print.',
    })}
    ${renderAct('/api/print-links/leave', toTarget(variant), 'Leave', {
      yes: 'Yes, leave',
      question: `Platen will not print ${count}. You ship the open items yourself. Press again to confirm.`,
      done: 'These orders are left to you.',
    })}`;
}

function renderNotLinked({ productId, variantId }: UnlinkedVariant, count: string): Html {
  const ofVariant = variantId === null ? null : { variantId };
  const own = productId === null ? ofVariant : { productId };
  return html`<p class="reason">${count} cannot be printed, because the variant is not linked to a print product.</p>
    <p class="remedy">
      <strong>What to do:</strong> Link the variant, then choose here whether to print these orders. If you ship this
      product yourself, press the button, and Platen will not ask again.
    </p>
    ${
      own &&
      renderAct('/api/print-links/own', own, 'I ship it myself', {
        yes: 'Yes, I ship it',
        question:
          'You ship this product yourself, including its open orders, until you link it. Press again to confirm.',
        done: 'You now ship this product yourself.',
      })
    }`;
}

function toTarget({ variantId, sku }: UnlinkedVariant): object {
  return variantId === null ? { sku } : { variantId };
}
