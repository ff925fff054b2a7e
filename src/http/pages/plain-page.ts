import type { Context } from 'koa';
import type { App } from '../../app.ts';
import { respondWithPage } from './respond-with-page.ts';
import { chooseLanguage } from './choose-language.ts';
import { html } from './html.ts';

/** A page with a few sentences. */
export interface PlainPage {
  status: number;
  title: string;
  sentences: readonly string[];
  /** A link below the sentences. With `isTop`, the link opens outside the admin's frame. */
  link?: { href: string; text: string; isTop?: boolean };
  /** The shop whose admin may frame the page. Null forbids framing. */
  framedBy: string | null;
}

/** Responds with a text page without scripts, in the reader's language. */
export function respondWithPlainPage(ctx: Context, app: App, page: PlainPage): void {
  const { status, title, sentences, link, framedBy } = page;
  const target = link?.isTop ? html` target="_top"` : null;
  const { code, say } = chooseLanguage(ctx);
  const linkHtml = link ? html`<p><a href="${link.href}" ${target}>${say(link.text)}</a></p>` : null;
  // The German texts contain each title as a sentence, because the API uses it as a sentence.
  const heading = say(`${title}.`).replace(/\.$/, '');
  ctx.status = status;
  const body = html`<!doctype html>
    <html lang="${code}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Platen</title>
        <link rel="stylesheet" href="/assets/page.css" />
      </head>
      <body>
        <main>
          <section class="card">
            <h1>${heading}</h1>
            ${sentences.map((sentence) => html`<p>${say(sentence)}</p>`)} ${linkHtml}
          </section>
        </main>
      </body>
    </html> `;
  respondWithPage(ctx, app, { framedBy, scripts: [], body: body.text });
}
