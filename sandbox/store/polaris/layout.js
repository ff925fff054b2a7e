// Elements that arrange their content.

import { PolarisElement, define } from './base.js';

const SPACES = {
  none: '0',
  'small-500': '.125rem',
  'small-400': '.125rem',
  'small-300': '.25rem',
  'small-200': '.25rem',
  'small-100': '.5rem',
  small: '.75rem',
  base: '1rem',
  large: '1.25rem',
  'large-100': '1.5rem',
  'large-200': '2rem',
  'large-300': '2.5rem',
  'large-400': '3rem',
  'large-500': '4rem',
};
const RADII = {
  none: '0',
  small: '.25rem',
  'small-100': '.25rem',
  'small-200': '.125rem',
  base: '.5rem',
  large: '.75rem',
  'large-100': '1rem',
  'large-200': '1.25rem',
  max: '999px',
};

const toSpace = (value) =>
  value
    .split(' ')
    .map((one) => SPACES[one] ?? one)
    .join(' ');

/** Applies the attributes that all boxes have to the host element. */
export function styleBox(element) {
  const { style } = element;
  const set = (property, value) => style.setProperty(property, value === '' || value === undefined ? null : value);
  set('gap', element.hasAttribute('gap') ? toSpace(element.getAttribute('gap')) : '');
  set('padding', element.hasAttribute('padding') ? toSpace(element.getAttribute('padding')) : '');
  for (const side of ['block', 'inline', 'block-start', 'block-end', 'inline-start', 'inline-end']) {
    const value = element.getAttribute(`padding${side.replace('-', '')}`);
    set(`padding-${side}`, value === null ? '' : toSpace(value));
  }
  const background = element.getAttribute('background');
  set('background', { subdued: 'var(--p-card-subdued)', base: 'var(--p-card)', strong: 'var(--p-line)' }[background]);
  const hasBorder = element.hasAttribute('border') || element.hasAttribute('borderwidth');
  set('border', hasBorder && !/none/.test(element.getAttribute('border') ?? '') ? '1px solid var(--p-line)' : '');
  set('border-radius', RADII[element.getAttribute('borderradius')]);
  set('inline-size', element.getAttribute('inlinesize') ?? '');
  set('min-inline-size', element.getAttribute('mininlinesize') ?? '');
  set('max-inline-size', element.getAttribute('maxinlinesize') ?? '');
  set('min-block-size', element.getAttribute('minblocksize') ?? '');
  set('block-size', element.getAttribute('blocksize') ?? '');
  set('overflow', element.getAttribute('overflow') ?? '');
  const role = element.getAttribute('accessibilityrole');
  if (role) element.internals ??= element.attachInternals();
  if (role)
    element.internals.role =
      { 'ordered-list': 'list', 'unordered-list': 'list', 'list-item': 'listitem' }[role] ?? role;
  const label = element.getAttribute('accessibilitylabel');
  if (label && element.internals) element.internals.ariaLabel = label;
}

class Box extends PolarisElement {
  static style = ':host { display: block; }';
  update() {
    styleBox(this);
  }
}
define('s-box', Box);

define(
  's-stack',
  class extends Box {
    static style =
      ':host { display: flex; flex-direction: column; } :host([direction=inline]) { flex-flow: row wrap; }';
    update() {
      styleBox(this);
      this.style.setProperty('justify-content', this.getAttribute('justifycontent'));
      this.style.setProperty('align-items', this.getAttribute('alignitems'));
    }
  },
);

define(
  's-grid',
  class extends Box {
    static style = ':host { display: grid; }';
    update() {
      styleBox(this);
      // A value such as `@container (inline-size > 500px) 1fr 1fr, 1fr` depends on the width of the nearest query container.
      const columns = this.getAttribute('gridtemplatecolumns') ?? '';
      const query = /^@container \((.+?)\) (.+), (.+)$/.exec(columns);
      const id = (this.queryId ??= `grid-${Math.random().toString(36).slice(2)}`);
      this.style.setProperty('align-items', this.getAttribute('alignitems'));
      if (!query) return this.style.setProperty('grid-template-columns', columns);
      this.dataset.query = id;
      this.queryStyle ??= this.shadowRoot.appendChild(document.createElement('style'));
      this.queryStyle.textContent = `:host { grid-template-columns: ${query[3]}; } @container (${query[1]}) { :host { grid-template-columns: ${query[2]}; } }`;
    }
  },
);
define(
  's-grid-item',
  class extends Box {
    static style = ':host { display: block; min-inline-size: 0; }';
    update() {
      styleBox(this);
      this.style.setProperty('grid-column', this.getAttribute('gridcolumn'));
    }
  },
);
define(
  's-query-container',
  class extends PolarisElement {
    static style = ':host { display: block; container-type: inline-size; }';
  },
);
define(
  's-divider',
  class extends PolarisElement {
    static style =
      ':host { display: block; } hr { border: 0; border-block-start: 1px solid var(--p-line); margin: 0; }';
    draw() {
      this.setContent('<hr />');
    }
  },
);

define(
  's-page',
  class extends PolarisElement {
    static style = `
    :host { display: block; max-inline-size: 62rem; margin: 0 auto; padding: 1rem; }
    :host([inlinesize=large]) { max-inline-size: none; }
    :host([inlinesize=small]) { max-inline-size: 42rem; }
    header { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; margin-block-end: 1rem; }
    h1 { font-size: 1.25rem; line-height: 1.75rem; margin: 0; flex: 1 1 10rem; overflow-wrap: anywhere; }
    .actions { display: flex; flex-wrap: wrap; gap: .5rem; }
    .columns { display: grid; gap: 1rem; grid-template-columns: minmax(0, 1fr); }
    .main, .aside { display: flex; flex-direction: column; gap: 1rem; min-inline-size: 0; }
    .aside:not(.used) { display: none; }
    @media (min-width: 48rem) { .columns.wide { grid-template-columns: minmax(0, 2fr) minmax(0, 1fr); } }
  `;
    draw() {
      this.setContent(`
      <header><slot name="breadcrumb-actions"></slot><h1></h1>
        <div class="actions"><slot name="secondary-actions"></slot><slot name="primary-action"></slot></div></header>
      <div class="columns"><div class="main"><slot></slot></div><div class="aside"><slot name="aside"></slot></div></div>
      <slot name="supplemental-start"></slot>`);
      this.find('[name=aside]').onslotchange = () => {
        const isUsed = this.find('[name=aside]').assignedElements().length > 0;
        this.find('.aside').classList.toggle('used', isUsed);
        this.find('.columns').classList.toggle('wide', isUsed);
      };
    }
    update() {
      this.find('h1').textContent = this.heading;
    }
  },
);

define(
  's-section',
  class extends PolarisElement {
    static style = `
    :host { display: block; }
    section { background: var(--p-card); border: 1px solid var(--p-line); border-radius: .75rem; padding: 1rem; display: flex; flex-direction: column; gap: .75rem; }
    section.bare { padding: 0; gap: 0; overflow: hidden; }
    section.bare header { padding: 1rem 1rem .5rem; }
    header { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; }
    h2 { font-size: .875rem; margin: 0; flex: 1; }
    header:not(.used) { display: none; }
    p { margin: 0; color: var(--p-subdued); flex-basis: 100%; }
    p:empty { display: none; }
  `;
    draw() {
      this
        .setContent(`<section><header><slot name="graphic"></slot><h2 id="title"></h2><slot name="accessory"></slot><slot name="secondary-actions"></slot>
      <slot name="primary-action"></slot><p></p></header><slot></slot><slot name="supplemental"></slot></section>`);
    }
    update() {
      const section = this.find('section');
      this.find('h2').textContent = this.heading;
      this.find('p').textContent = this.subheading;
      this.find('header').classList.toggle('used', this.heading !== '' || this.subheading !== '');
      this.find('h2').hidden = this.heading === '';
      section.classList.toggle('bare', this.getAttribute('padding') === 'none');
      const label = this.accessibilityLabel || this.heading;
      if (label) section.setAttribute('aria-label', label);
      else section.removeAttribute('aria-label');
    }
  },
);

define(
  's-empty-state',
  class extends PolarisElement {
    static style = `:host { display: block; text-align: center; padding: 2rem 1rem; } h2 { font-size: 1rem; margin: 0 0 .5rem; }
    .actions { display: flex; gap: .5rem; justify-content: center; margin-block-start: 1rem; }`;
    draw() {
      this.setContent(
        '<slot name="graphic"></slot><h2></h2><slot name="subheading"></slot><div class="actions"><slot name="secondary-actions"></slot><slot name="primary-action"></slot></div>',
      );
    }
    update() {
      this.find('h2').textContent = this.heading;
    }
  },
);
