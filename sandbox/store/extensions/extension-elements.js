// The elements that only extensions can use. Shopify shows them as a card or a dialog in the admin.

import { PolarisElement, define } from '../polaris/base.js';

const CARD_STYLE = `
  :host { display: block; margin: 1rem auto; max-inline-size: 40rem; }
  section { background: var(--p-card); border: 1px solid var(--p-line); border-radius: .75rem; overflow: hidden; }
  h2 { font-size: .875rem; margin: 0; padding: 1rem 1rem 0; }
  .content { padding: .75rem 1rem 1rem; }
  footer { display: flex; flex-wrap: wrap; gap: .5rem; justify-content: flex-end; padding: .75rem 1rem; border-block-start: 1px solid var(--p-line); }
`;

define(
  's-admin-block',
  class extends PolarisElement {
    static style = CARD_STYLE;
    draw() {
      this.setContent(
        '<section aria-labelledby="title"><h2 id="title"></h2><div class="content"><slot></slot></div></section>',
      );
    }
    update() {
      this.find('h2').textContent = this.heading;
    }
  },
);

define(
  's-admin-action',
  class extends PolarisElement {
    static style = CARD_STYLE;
    draw() {
      this
        .setContent(`<section role="dialog" aria-labelledby="title"><h2 id="title"></h2><div class="content"><slot></slot></div>
        <footer><slot name="secondary-actions"></slot><slot name="primary-action"></slot></footer></section>`);
    }
    update() {
      this.find('h2').textContent = this.heading;
      this.find('section').setAttribute('aria-busy', String(this.loading));
    }
  },
);

define(
  's-admin-print-action',
  class extends PolarisElement {
    // The button prints nothing, but shows whether the admin would print the document.
    static style = `${CARD_STYLE}
      :host { max-inline-size: 60rem; }
      .split { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 2fr); }
      .preview { background: var(--p-card-subdued); display: grid; place-items: center; block-size: 32rem; }
      iframe { inline-size: 100%; block-size: 100%; border: 0; background: #fff; }
      button { background: var(--p-primary); color: var(--p-primary-text); border: 0; border-radius: .5rem; padding: .375rem .75rem; }
      button:disabled { opacity: .4; }
      @media (max-width: 40rem) { .split { grid-template-columns: minmax(0, 1fr); } }
    `;
    draw() {
      this
        .setContent(`<section role="dialog" aria-label="Print"><div class="split"><div class="content"><slot></slot></div>
        <div class="preview" aria-live="polite"></div></div><footer><button type="button">Print</button></footer></section>`);
    }
    update() {
      if (this.shown === this.src) return;
      this.shown = this.src;
      void this.show(this.src);
    }
    /** Fetches the document from another origin, as Shopify does, and shows it. Scripts in it never run. */
    async show(src) {
      const [preview, button] = [this.find('.preview'), this.find('button')];
      button.disabled = true;
      preview.textContent = src === '' ? 'There is nothing to preview.' : 'Loading';
      if (src === '') return;
      const response = await fetch(src.replace(/^app:/, '')).catch(() => null);
      if (response === null) return refuse(`<s-admin-print-action> may not read ${src}.`);
      const type = response.headers.get('Content-Type') ?? '';
      if (!type.startsWith('text/html')) return refuse(`this preview shows no documents of the type "${type}".`);
      const markup = await response.text();
      if (this.shown !== src) return;
      const frame = Object.assign(document.createElement('iframe'), { title: 'Preview', srcdoc: markup });
      frame.setAttribute('sandbox', '');
      preview.replaceChildren(frame);
      button.disabled = !response.ok;
    }
  },
);
