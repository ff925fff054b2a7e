import type { Context } from 'koa';
import type { App } from '../../app.ts';
import type { ShopLeftError } from '../../shops/install/shop-left.ts';
import { answerPage } from './answer-page.ts';
import { renderAct } from './forms.ts';
import { renderDocument } from './document.ts';
import { html } from './html.ts';
import { showTime } from './show-time.ts';

/** Renders the page for a shop that Platen has left. It requires a confirmation before Platen is used again. */
export function askToTakeUp(ctx: Context, app: App, domain: string, { leftAt }: ShopLeftError): void {
  const since = leftAt && html` on ${showTime(leftAt)}`;
  const body = renderDocument(
    app,
    html`
      <main>
        <section class="card" aria-labelledby="left-title">
          <h1 id="left-title">Platen is stopped for this store</h1>
          <p>
            Platen was stopped for ${domain}${since} and is undoing the changes that it made in your store. No orders
            are printed. If you no longer need Platen, remove it in your store’s settings.
          </p>
          <p>
            If you use Platen again, it prints orders placed from then on, and sets up your store again according to
            your settings.
          </p>
          ${renderAct('/api/take-up', {}, 'Use Platen again', { done: 'One moment…', leads: true })}
          <noscript><p>Platen needs JavaScript for this button.</p></noscript>
        </section>
      </main>
    `,
  );
  answerPage(ctx, app, { framedBy: domain, scripts: ['settings-page.js', 'app bridge'], body: body.text });
}
