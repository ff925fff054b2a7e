import type { Context } from 'koa';
import type { App } from '../../app.ts';
import type { ShopLeftError } from '../../shops/install/shop-left.ts';
import { answerPage } from './answer-page.ts';
import { renderAct } from './forms.ts';
import { renderDocument } from './document.ts';
import { html } from './html.ts';
import { showTime } from './show-time.ts';

/** The page of a shop that was left: it asks before Platen is used again. */
export function askToTakeUp(ctx: Context, app: App, domain: string, { leftAt }: ShopLeftError): void {
  const since = leftAt && html` on ${showTime(leftAt)}`;
  const body = renderDocument(
    app,
    html`
      <main>
        <section class="card" aria-labelledby="left-title">
          <h1 id="left-title">Platen does nothing for this store</h1>
          <p>
            Platen was ended for ${domain}${since} and takes back what it has set here. No order is printed. If you no
            longer need it, remove Platen in the settings of your store.
          </p>
          <p>
            If you use Platen again, it prints the orders that are placed from then on, and sets up your store again as
            your settings say.
          </p>
          ${renderAct('/api/take-up', {}, 'Use Platen again', { done: 'One moment…', leads: true })}
          <noscript><p>Platen needs JavaScript for this button.</p></noscript>
        </section>
      </main>
    `,
  );
  answerPage(ctx, app, { framedBy: domain, scripts: ['own', 'app bridge'], body: body.text });
}
