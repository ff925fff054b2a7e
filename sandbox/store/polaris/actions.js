// Elements that a person clicks, and the overlays that these elements open.

import { PolarisElement, define, refuse } from './base.js';
import { styleBox } from './layout.js';

/** Runs an element's command on the element that its `commandfor` attribute names. */
function runCommand(element) {
  const id = element.getAttribute('commandfor');
  if (!id) return;
  const target = element.getRootNode().getElementById?.(id) ?? document.getElementById(id);
  if (!target) return refuse(`<${element.localName}> commands an element that does not exist: ${id}.`);
  const command = element.getAttribute('command') ?? '--auto';
  if (command === '--show') target.showOverlay();
  else if (command === '--hide') target.hideOverlay();
  else target.toggleOverlay();
}

const BUTTON_STYLE = `
  :host { display: inline-block; } :host([inlinesize=fill]) { display: block; } :host([inlinesize=fill]) .press { inline-size: 100%; }
  .press { display: inline-flex; align-items: center; justify-content: center; gap: .25rem; min-block-size: 1.75rem; padding: .25rem .75rem; border: 1px solid var(--p-line); border-radius: .5rem;
    background: var(--p-card); color: var(--p-text); font-weight: 500; cursor: pointer; text-decoration: none; }
  .press:hover { background: var(--p-hover); }
  :host([variant=primary]) .press { background: var(--p-primary); color: var(--p-primary-text); border-color: transparent; }
  :host([variant=tertiary]) .press { border-color: transparent; background: none; color: var(--p-link); }
  :host([tone=critical]) .press { color: var(--p-critical); }
  :host([variant=primary][tone=critical]) .press { background: #b51a2f; color: #fff; }
  .press[aria-disabled=true] { opacity: .5; cursor: default; }
  @media (pointer: coarse) { .press { min-block-size: 2.75rem; } }
`;

export class Pressable extends PolarisElement {
  static formAssociated = true;
  static delegatesFocus = true;
  constructor() {
    super();
    this.internals = this.attachInternals();
  }
  get form() {
    return this.internals.form;
  }
  /** Draws a link if the element has an `href`, or otherwise a button. */
  draw() {
    this.tag = this.hasAttribute('href') ? 'a' : 'button';
    this.setContent(`<${this.tag} class="press" part="press"><slot></slot></${this.tag}>`);
    this.find('.press').addEventListener('click', (event) => this.press(event));
  }
  press(event) {
    if (this.isBlocked()) {
      event.preventDefault();
      event.stopImmediatePropagation();
      return;
    }
    // Runs the command and submits the form only after the page's own handlers, because a handler may cancel the click.
    queueMicrotask(() => {
      if (event.defaultPrevented) return;
      runCommand(this);
      if (this.getAttribute('type') === 'submit') this.form?.requestSubmit();
      if (this.getAttribute('type') === 'reset') this.form?.reset();
    });
  }
  isBlocked() {
    return this.hasAttribute('disabled') || this.hasAttribute('loading');
  }
  update() {
    const press = this.find('.press');
    if ((this.tag === 'a') !== this.hasAttribute('href')) {
      this.draw();
      return this.update();
    }
    if (this.tag === 'a') {
      press.href = this.getAttribute('href');
      if (this.hasAttribute('target')) press.target = this.getAttribute('target').replace('auto', '');
      if (this.hasAttribute('download')) press.download = this.getAttribute('download');
    } else press.type = 'button';
    if (this.hasAttribute('accessibilitylabel'))
      press.setAttribute('aria-label', this.getAttribute('accessibilitylabel'));
    press.setAttribute('aria-disabled', String(this.isBlocked()));
    press.setAttribute('aria-busy', String(this.hasAttribute('loading')));
  }
}

define(
  's-button',
  class extends Pressable {
    static style = BUTTON_STYLE;
  },
);
define(
  's-press-button',
  class extends Pressable {
    static style = `${BUTTON_STYLE} :host([pressed]) .press { background: var(--p-line); }`;
    update() {
      super.update();
      this.find('.press').setAttribute('aria-pressed', String(this.hasAttribute('pressed')));
    }
  },
);
define(
  's-link',
  class extends Pressable {
    static style = `:host { display: inline; } .press { color: var(--p-link); background: none; border: 0; padding: 0; cursor: pointer; text-decoration: underline; text-align: start; overflow-wrap: anywhere; }
    :host([tone=critical]) .press { color: var(--p-critical); } :host([tone=neutral]) .press { color: var(--p-text); }`;
  },
);
define(
  's-clickable',
  class extends Pressable {
    static style =
      ':host { display: block; } .press { display: block; inline-size: 100%; border: 0; background: none; padding: inherit; text-align: start; cursor: pointer; color: inherit; text-decoration: none; border-radius: inherit; }';
    update() {
      super.update();
      styleBox(this);
    }
  },
);
define(
  's-button-group',
  class extends PolarisElement {
    static style = ':host { display: inline-flex; flex-wrap: wrap; gap: .5rem; }';
    draw() {
      this.setContent('<slot></slot><slot name="secondary-actions"></slot><slot name="primary-action"></slot>');
    }
  },
);
define(
  's-chip',
  class extends PolarisElement {
    static style =
      ':host { display: inline-block; padding: 0 .5rem; border-radius: .5rem; background: var(--p-neutral-fill); color: var(--p-neutral); }';
  },
);

/** A dialog on top of the page. The Escape key closes the dialog, and the focus returns to the element that had it before. */
define(
  's-modal',
  class extends PolarisElement {
    static style = `dialog { border: 0; border-radius: 1rem; padding: 0; inline-size: min(36rem, calc(100vw - 2rem)); max-block-size: calc(100vh - 2rem); background: var(--p-card); color: var(--p-text); }
    :host([size=small]) dialog { inline-size: min(24rem, calc(100vw - 2rem)); } :host([size^=large]) dialog { inline-size: min(52rem, calc(100vw - 2rem)); }
    dialog::backdrop { background: rgb(0 0 0 / .5); } header, footer { display: flex; gap: .5rem; align-items: center; padding: 1rem; } header { border-block-end: 1px solid var(--p-line); } footer { justify-content: flex-end; flex-wrap: wrap; }
    h2 { font-size: 1rem; margin: 0; flex: 1; } .content { padding: 1rem; } :host([padding=none]) .content { padding: 0; } button { border: 0; background: none; cursor: pointer; min-inline-size: 2rem; min-block-size: 2rem; }`;
    draw() {
      this
        .setContent(`<dialog aria-labelledby="title"><header><h2 id="title"></h2><button type="button" aria-label="Close">✕</button></header><div class="content"><slot></slot></div>
      <footer><slot name="secondary-actions"></slot><slot name="primary-action"></slot></footer></dialog>`);
      this.find('button').onclick = () => this.hideOverlay();
      this.find('dialog').onclose = () => {
        this.emit('hide', { bubbles: false });
        this.emit('afterhide', { bubbles: false });
      };
    }
    update() {
      this.find('h2').textContent = this.heading;
    }
    showOverlay() {
      if (this.find('dialog').open) return;
      this.find('dialog').showModal();
      this.emit('show', { bubbles: false });
      this.emit('aftershow', { bubbles: false });
    }
    hideOverlay() {
      this.find('dialog').close();
    }
    toggleOverlay() {
      if (this.find('dialog').open) this.hideOverlay();
      else this.showOverlay();
    }
  },
);

for (const tag of ['s-popover', 's-menu'])
  define(
    tag,
    class extends PolarisElement {
      static style =
        ':host { display: contents; } div { border: 1px solid var(--p-line); border-radius: .75rem; padding: .5rem; background: var(--p-card); color: var(--p-text); box-shadow: 0 4px 12px rgb(0 0 0 / .2); } ::slotted(*) { display: block; }';
      draw() {
        this.setContent('<div popover><slot></slot></div>');
        this.addEventListener('keydown', () => undefined);
      }
      showOverlay() {
        this.find('div').showPopover();
      }
      hideOverlay() {
        this.find('div').hidePopover();
      }
      toggleOverlay() {
        this.find('div').togglePopover();
      }
    },
  );
