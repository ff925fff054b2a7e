// The table. On a narrow page, it becomes a list: each row is a block, and each cell names its column.

import { Pressable } from './actions.js';
import { PolarisElement, define } from './base.js';
import { Field, Tick } from './fields.js';

const CELL =
  'display: table-cell; padding: .5rem .75rem; border-block-end: 1px solid var(--p-line); vertical-align: middle; overflow-wrap: anywhere;';
const NARROW = '@media (max-width: 40rem)';

/** Sets an element's role in the accessibility tree without an attribute on the page's markup. */
function setRole(element, role) {
  element.internals ??= element.attachInternals();
  element.internals.role = role;
}

define(
  's-table',
  class extends PolarisElement {
    static style = `:host { display: block; } .table { display: table; inline-size: 100%; border-collapse: collapse; } footer { display: flex; gap: .5rem; justify-content: center; padding: .5rem; } footer[hidden] { display: none; }
    button { min-inline-size: 2.25rem; min-block-size: 2rem; border: 1px solid var(--p-line); border-radius: .5rem; background: var(--p-card); color: var(--p-text); cursor: pointer; } button:disabled { opacity: .4; cursor: default; }
    .busy { opacity: .5; } slot[name=filters] { display: block; padding: .5rem .75rem; }
    ${NARROW} { .table { display: block; } }`;
    draw() {
      this.setContent(
        '<slot name="filters"></slot><div class="table" role="table"><slot></slot></div><footer><button type="button" aria-label="Previous page">‹</button><button type="button" aria-label="Next page">›</button></footer>',
      );
      const [previous, next] = this.shadowRoot.querySelectorAll('button');
      previous.onclick = () => this.emit('previouspage', { bubbles: false });
      next.onclick = () => this.emit('nextpage', { bubbles: false });
    }
    update() {
      const [previous, next] = this.shadowRoot.querySelectorAll('button');
      this.find('footer').hidden = !this.hasAttribute('paginate');
      previous.disabled = !this.hasAttribute('haspreviouspage');
      next.disabled = !this.hasAttribute('hasnextpage');
      this.find('.table').classList.toggle('busy', this.hasAttribute('loading'));
      this.find('.table').setAttribute('aria-busy', String(this.hasAttribute('loading')));
    }
  },
);
class TablePart extends PolarisElement {
  connectedCallback() {
    setRole(this, this.constructor.role);
    super.connectedCallback();
  }
}
define(
  's-table-header-row',
  class extends TablePart {
    static role = 'row';
    static style = `:host { display: table-row; } ${NARROW} { :host { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); } }`;
  },
);
define(
  's-table-header',
  class extends TablePart {
    static role = 'columnheader';
    static style = `:host { ${CELL} overflow-wrap: normal; text-align: start; color: var(--p-subdued); font-weight: 600; background: var(--p-card-subdued); } :host([format=numeric]), :host([format=currency]) { text-align: end; }`;
  },
);
define(
  's-table-body',
  class extends TablePart {
    static role = 'rowgroup';
    static style = `:host { display: table-row-group; } ${NARROW} { :host { display: block; } }`;
  },
);
define(
  's-table-row',
  class extends TablePart {
    static role = 'row';
    static style = `:host { display: table-row; } :host([clickdelegate]) { cursor: pointer; } :host([clickdelegate]:hover) { background: var(--p-hover); }
    ${NARROW} { :host { display: block; padding: .5rem .75rem; border-block-end: 1px solid var(--p-line); } }`;
    draw() {
      super.draw();
      HTMLElement.prototype.addEventListener.call(this, 'click', (event) => {
        const id = this.getAttribute('clickdelegate');
        const isOwn = event
          .composedPath()
          .some((one) => one instanceof Pressable || one instanceof Tick || one instanceof Field);
        if (id && !isOwn) this.getRootNode().getElementById(id)?.find('.press')?.click();
      });
    }
  },
);
define(
  's-table-cell',
  class extends TablePart {
    static role = 'cell';
    static style = `:host { ${CELL} } :host([data-format=numeric]), :host([data-format=currency]) { text-align: end; font-variant-numeric: tabular-nums; } .name { display: none; }
    ${NARROW} { :host { display: flex; gap: .5rem; border: 0; padding: .125rem 0; text-align: start !important; } .name:not(:empty) { display: block; color: var(--p-subdued); min-inline-size: 6rem; } .value { min-inline-size: 0; } }`;
    draw() {
      this.setContent('<span class="name" aria-hidden="true"></span><div class="value"><slot></slot></div>');
    }
    update() {
      const index = [...(this.parentElement?.children ?? [])].indexOf(this);
      const header = this.closest('s-table')?.querySelector('s-table-header-row')?.children[index];
      const isNamed = header && !['primary', 'kicker'].includes(header.getAttribute('listslot'));
      this.find('.name').textContent = isNamed ? header.textContent : '';
      const format = header?.getAttribute('format');
      if (format) this.dataset.format = format;
    }
  },
);
define(
  's-tooltip',
  class extends PolarisElement {
    static style = ':host { display: none; }';
  },
);
