// Form fields. Each field submits its value with its form under its name, and shows an error until the page removes the error.

import { PolarisElement, define } from './base.js';

const FIELD_STYLE = `
  :host { display: block; } label { display: block; margin-block-end: .25rem; } :host([labelaccessibilityvisibility=exclusive]) label { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); }
  .frame { display: flex; align-items: center; gap: .25rem; border: 1px solid var(--p-field-line); border-radius: .5rem; background: var(--p-card); padding: 0 .5rem; }
  input, select, textarea { flex: 1; min-inline-size: 0; inline-size: 100%; min-block-size: 2rem; border: 0; background: var(--p-card); color: var(--p-text); outline: none; } .control:focus-visible { outline: none; }
  .frame:focus-within { outline: 2px solid var(--p-focus); outline-offset: 1px; } .bad .frame { border-color: var(--p-critical); background: var(--p-critical-fill); }
  .error { color: var(--p-critical); margin: .25rem 0 0; } .details { color: var(--p-subdued); margin: .25rem 0 0; } .error:empty, .details:empty { display: none; }
  @media (pointer: coarse) { input, select { min-block-size: 2.75rem; } }
`;

export class Field extends PolarisElement {
  static formAssociated = true;
  static delegatesFocus = true;
  static style = FIELD_STYLE;
  static kind = 'text';
  constructor() {
    super();
    this.internals = this.attachInternals();
  }
  get form() {
    return this.internals.form;
  }
  get value() {
    return this.current ?? this.getAttribute('value') ?? '';
  }
  set value(value) {
    this.current = String(value ?? '');
    this.internals.setFormValue(this.current);
    const control = this.find?.('.control');
    if (control && control.value !== this.current) control.value = this.current;
  }
  get defaultValue() {
    return this.getAttribute('value') ?? '';
  }
  set defaultValue(value) {
    this.setAttribute('value', value);
  }
  makeControl() {
    return `<input class="control" id="control" type="${this.constructor.kind}" />`;
  }
  draw() {
    this
      .setContent(`<div class="field"><label for="control"></label><div class="frame"><span class="prefix"></span>${this.makeControl()}<span class="suffix"></span><slot name="accessory"></slot></div>
      <p class="error" id="error" role="alert"></p><p class="details" id="details"></p></div>`);
    const control = this.find('.control');
    control.setAttribute('aria-describedby', 'error details');
    for (const type of ['input', 'change'])
      control.addEventListener(type, (event) => {
        event.stopPropagation();
        this.current = control.value;
        this.internals.setFormValue(this.current);
        this.emit(type);
      });
    control.addEventListener('keydown', (event) => {
      // As in the browser's own form fields, the change event comes before the submit event.
      if (event.key === 'Enter' && control.localName === 'input') setTimeout(() => this.form?.requestSubmit());
    });
    this.internals.setFormValue(this.value);
  }
  formResetCallback() {
    this.value = this.getAttribute('value') ?? '';
  }
  attributeChangedCallback(name, before, after) {
    if (name === 'value' && before !== after) this.value = after ?? '';
    super.attributeChangedCallback(name, before, after);
  }
  update() {
    const control = this.find('.control');
    this.find('label').textContent = this.label;
    this.find('.error').textContent = this.error;
    this.find('.details').textContent = this.details;
    this.find('.field').classList.toggle('bad', this.error !== '');
    control.setAttribute('aria-invalid', String(this.error !== ''));
    control.disabled = this.hasAttribute('disabled');
    control.required = this.hasAttribute('required');
    control.readOnly = this.hasAttribute('readonly');
    control.placeholder = this.getAttribute('placeholder') ?? '';
    for (const name of ['autocomplete', 'min', 'max', 'step', 'maxlength', 'minlength'])
      if (this.hasAttribute(name)) control.setAttribute(name, this.getAttribute(name));
    this.find('.prefix').textContent = this.getAttribute('prefix') ?? '';
    this.find('.suffix').textContent = this.getAttribute('suffix') ?? '';
    if (control.value !== this.value) control.value = this.value;
  }
}

const KINDS = {
  's-text-field': 'text',
  's-search-field': 'search',
  's-email-field': 'email',
  's-password-field': 'password',
  's-number-field': 'number',
  's-date-field': 'date',
  's-url-field': 'url',
  's-money-field': 'number',
};
for (const [tag, kind] of Object.entries(KINDS))
  define(
    tag,
    class extends Field {
      static kind = kind;
    },
  );
define(
  's-text-area',
  class extends Field {
    makeControl() {
      return '<textarea class="control" id="control" rows="4"></textarea>';
    }
  },
);

define(
  's-option',
  class extends PolarisElement {
    get value() {
      return this.getAttribute('value') ?? this.textContent;
    }
    set value(value) {
      this.setAttribute('value', value);
    }
  },
);
define('s-option-group', class extends PolarisElement {});
define(
  's-select',
  class extends Field {
    makeControl() {
      return '<select class="control" id="control"></select>';
    }
    draw() {
      super.draw();
      this.readOptions();
      new MutationObserver(() => this.readOptions()).observe(this, {
        childList: true,
        subtree: true,
        characterData: true,
        attributes: true,
      });
    }
    readOptions() {
      const chosen = this.querySelector('s-option[selected]');
      this.find('select').replaceChildren(
        ...[...this.querySelectorAll('s-option')].map((option) => new Option(option.textContent, option.value)),
      );
      if (this.current === undefined && chosen) this.current = chosen.value;
      this.find('select').value = this.value;
    }
  },
);

export class Tick extends PolarisElement {
  static formAssociated = true;
  static delegatesFocus = true;
  static style = `:host { display: block; } .row { display: flex; gap: .5rem; align-items: flex-start; } input { inline-size: 1.125rem; block-size: 1.125rem; margin: .0625rem 0 0; flex: none; accent-color: var(--p-primary); }
    .error { color: var(--p-critical); margin: .25rem 0 0 1.625rem; } .details { color: var(--p-subdued); margin: .125rem 0 0 1.625rem; } .error:empty, .details:empty { display: none; }
    :host([labelaccessibilityvisibility=exclusive]) label { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); }`;
  constructor() {
    super();
    this.internals = this.attachInternals();
  }
  get form() {
    return this.internals.form;
  }
  get checked() {
    return this.isChecked ?? this.hasAttribute('checked');
  }
  set checked(value) {
    this.isChecked = Boolean(value);
    this.internals.setFormValue(this.isChecked ? (this.getAttribute('value') ?? 'on') : null);
    const input = this.find('input');
    if (input) input.checked = this.isChecked;
  }
  draw() {
    this.setContent(
      '<div class="row"><input type="checkbox" id="control" aria-describedby="error details" /><label for="control"></label></div><p class="error" id="error" role="alert"></p><p class="details" id="details"></p>',
    );
    const input = this.find('input');
    if (this.localName === 's-switch') input.setAttribute('role', 'switch');
    input.addEventListener('input', (event) => event.stopPropagation());
    input.addEventListener('change', (event) => {
      event.stopPropagation();
      this.checked = input.checked;
      this.emit('input');
      this.emit('change');
    });
    // The page may have set the property before the element was connected.
    this.checked = this.isChecked ?? this.hasAttribute('checked');
  }
  formResetCallback() {
    this.checked = this.hasAttribute('checked');
  }
  attributeChangedCallback(name, before, after) {
    if (name === 'checked' && (before === null) !== (after === null)) this.checked = after !== null;
    super.attributeChangedCallback(name, before, after);
  }
  update() {
    const input = this.find('input');
    this.find('label').textContent = this.label;
    this.find('.error').textContent = this.error;
    this.find('.details').textContent = this.details;
    input.disabled = this.hasAttribute('disabled');
    input.indeterminate = this.hasAttribute('indeterminate');
    input.setAttribute('aria-invalid', String(this.error !== ''));
    if (this.hasAttribute('accessibilitylabel'))
      input.setAttribute('aria-label', this.getAttribute('accessibilitylabel'));
  }
}
define('s-checkbox', class extends Tick {});
define('s-switch', class extends Tick {});
