// The elements that only extensions have. Shopify shows them as a card or a dialog of the admin.

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
