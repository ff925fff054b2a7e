// Elements that show text, state and pictures.

import { PolarisElement, define } from './base.js';

const TONES = ['info', 'success', 'warning', 'caution', 'critical', 'neutral'];
const toneStyle = (make) => TONES.map((tone) => `:host([tone=${tone}]) ${make(tone)}`).join('\n');
const SIZES = `:host([fontsize^=small]) { font-size: 12px; } :host([fontsize=large]) { font-size: 1rem; } :host([fontsize=large-100]), :host([fontsize=large-200]) { font-size: 1.25rem; line-height: 1.5; }
  :host([fontweight=semibold]), :host([fontweight=medium]) { font-weight: 600; } :host([fontweight=bold]) { font-weight: 700; }
  :host([fontvariantnumeric=tabular-nums]) { font-variant-numeric: tabular-nums; }`;
const VISUALLY_HIDDEN =
  ':host([accessibilityvisibility=exclusive]) { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); }';

define(
  's-text',
  class extends PolarisElement {
    static style = `:host { display: inline; } :host([color=subdued]) { color: var(--p-subdued); } :host([type=strong]) { font-weight: 600; }
    :host([type=redundant]) { text-decoration: line-through; } ${toneStyle((tone) => `{ color: var(--p-${tone}); }`)} ${SIZES} ${VISUALLY_HIDDEN}`;
  },
);
define(
  's-paragraph',
  class extends PolarisElement {
    static style = `:host { display: block; overflow-wrap: anywhere; } p { margin: 0; } :host([color=subdued]) { color: var(--p-subdued); }
    ${toneStyle((tone) => `{ color: var(--p-${tone}); }`)} ${SIZES} ${VISUALLY_HIDDEN}`;
    draw() {
      this.setContent('<p><slot></slot></p>');
    }
  },
);
define(
  's-heading',
  class extends PolarisElement {
    static style = `:host { display: block; } h3 { font-size: .8125rem; margin: 0; overflow-wrap: anywhere; } ${SIZES} ${VISUALLY_HIDDEN}`;
    draw() {
      this.setContent('<h3><slot></slot></h3>');
    }
  },
);
define(
  's-badge',
  class extends PolarisElement {
    static style = `:host { display: inline-block; padding: 0 .5rem; border-radius: 999px; background: var(--p-neutral-fill); color: var(--p-neutral); font-size: 12px; line-height: 20px; white-space: nowrap; }
    ${toneStyle((tone) => `{ background: var(--p-${tone}-fill); color: var(--p-${tone}); }`)}`;
  },
);
define(
  's-banner',
  class extends PolarisElement {
    static style = `:host { display: block; } section { border-radius: .75rem; padding: .75rem 1rem; background: var(--p-info-fill); color: var(--p-info); display: flex; flex-direction: column; gap: .5rem; overflow-wrap: anywhere; }
    ${toneStyle((tone) => `section { background: var(--p-${tone}-fill); color: var(--p-${tone}); }`)}
    header { display: flex; gap: .5rem; } h2 { font-size: .8125rem; margin: 0; flex: 1; } button { border: 0; background: none; cursor: pointer; min-inline-size: 1.75rem; min-block-size: 1.75rem; }
    header:not(.used) { display: none; } slot[name] { display: flex; gap: .5rem; }`;
    draw() {
      this.setContent(
        '<section><header><h2></h2><button type="button" aria-label="Dismiss">✕</button></header><div><slot></slot></div><slot name="secondary-actions"></slot></section>',
      );
      this.find('button').onclick = () => {
        this.emit('dismiss');
        this.hidden = true;
        this.emit('afterhide');
      };
    }
    update() {
      this.find('h2').textContent = this.heading;
      this.find('h2').hidden = this.heading === '';
      this.find('button').hidden = !this.dismissible;
      this.find('header').classList.toggle('used', this.heading !== '' || this.dismissible);
      const isUrgent = ['critical', 'warning'].includes(this.getAttribute('tone'));
      this.find('section').setAttribute('role', isUrgent ? 'alert' : 'status');
    }
  },
);
define(
  's-spinner',
  class extends PolarisElement {
    static style = `:host { display: inline-block; } span { display: block; inline-size: 1.25rem; block-size: 1.25rem; border: 2px solid var(--p-line); border-block-start-color: var(--p-text); border-radius: 50%; animation: turn 1s linear infinite; }
    @keyframes turn { to { transform: rotate(1turn); } } @media (prefers-reduced-motion: reduce) { span { animation: none; } }`;
    draw() {
      this.setContent('<span role="status"></span>');
    }
    update() {
      this.find('span').setAttribute('aria-label', this.accessibilityLabel || 'Loading');
    }
  },
);
define(
  's-progress',
  class extends PolarisElement {
    static style = ':host { display: block; } progress { inline-size: 100%; block-size: .5rem; }';
    draw() {
      this.setContent('<progress></progress>');
    }
    update() {
      const bar = this.find('progress');
      bar.max = Number(this.getAttribute('max') ?? 1);
      if (this.hasAttribute('value')) bar.value = Number(this.getAttribute('value'));
      bar.setAttribute('aria-label', this.accessibilityLabel);
    }
  },
);
const ICONS = {
  'check-circle': '✓',
  check: '✓',
  'alert-triangle': '!',
  'alert-circle': '!',
  clock: '◷',
  circle: '○',
  'circle-dashed': '◌',
  'arrow-left': '←',
  'x-circle': '✕',
  info: 'i',
};
define(
  's-icon',
  class extends PolarisElement {
    static style = `:host { display: inline-block; inline-size: 1.25rem; text-align: center; font-weight: 600; } ${toneStyle((tone) => `{ color: var(--p-${tone}); }`)}`;
    draw() {
      this.setContent('<span aria-hidden="true"></span>');
    }
    update() {
      this.find('span').textContent = ICONS[this.getAttribute('type')] ?? '•';
    }
  },
);
for (const tag of ['s-image', 's-thumbnail'])
  define(
    tag,
    class extends PolarisElement {
      static style = `:host { display: inline-block; } img { display: block; max-inline-size: 100%; border-radius: .5rem; border: 1px solid var(--p-line); }
      :host(s-thumbnail) img { inline-size: 2.5rem; block-size: 2.5rem; object-fit: cover; }`;
      draw() {
        this.setContent('<img loading="lazy" />');
      }
      update() {
        const image = this.find('img');
        image.alt = this.getAttribute('alt') ?? '';
        if (image.getAttribute('src') !== this.getAttribute('src')) image.src = this.getAttribute('src') ?? '';
      }
    },
  );
for (const [tag, list] of [
  ['s-unordered-list', 'ul'],
  ['s-ordered-list', 'ol'],
])
  define(
    tag,
    class extends PolarisElement {
      static style =
        ':host { display: block; } div { padding-inline-start: 1.25rem; display: flex; flex-direction: column; gap: .25rem; }';
      draw() {
        this.setContent('<div role="list"><slot></slot></div>');
        this.find('div').dataset.kind = list;
      }
    },
  );
define(
  's-list-item',
  class extends PolarisElement {
    static style =
      ':host { display: list-item; list-style: disc; overflow-wrap: anywhere; } :host-context(s-ordered-list) { list-style: decimal; }';
    connectedCallback() {
      this.internals ??= this.attachInternals();
      this.internals.role = 'listitem';
      super.connectedCallback();
    }
  },
);
