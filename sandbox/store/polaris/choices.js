// Choice and file fields. Like the other fields, they submit their values with their form under their name.

import { PolarisElement, define } from './base.js';

let choiceLists = 0;
define('s-choice', class extends PolarisElement {});
define(
  's-choice-list',
  class extends PolarisElement {
    static formAssociated = true;
    static style =
      'fieldset { border: 0; margin: 0; padding: 0; } legend { padding: 0; margin-block-end: .25rem; } .row { display: flex; gap: .5rem; align-items: flex-start; padding-block: .125rem; } .error { color: var(--p-critical); } .error:empty { display: none; } .note { color: var(--p-subdued); }';
    constructor() {
      super();
      this.internals = this.attachInternals();
    }
    get values() {
      return (
        this.chosen ?? [...this.querySelectorAll('s-choice[selected]')].map((choice) => choice.getAttribute('value'))
      );
    }
    set values(values) {
      this.chosen = [...(values ?? [])];
      const data = new FormData();
      for (const one of this.chosen) data.append(this.getAttribute('name') ?? '', one);
      this.internals.setFormValue(data);
      if (this.isDrawn) this.redraw();
    }
    draw() {
      this.group = `choices-${(choiceLists += 1)}`;
      this.setContent('<fieldset><legend></legend><div></div><p class="error" role="alert"></p></fieldset>');
      this.redraw();
      new MutationObserver(() => this.redraw()).observe(this, {
        childList: true,
        subtree: true,
        characterData: true,
        attributes: true,
      });
    }
    redraw() {
      const kind = this.hasAttribute('multiple') ? 'checkbox' : 'radio';
      const rows = [...this.querySelectorAll('s-choice')].map((choice) => {
        const row = document.createElement('label');
        row.className = 'row';
        const input = Object.assign(document.createElement('input'), {
          type: kind,
          name: this.group,
          value: choice.getAttribute('value'),
        });
        input.checked = this.values.includes(input.value);
        input.disabled = choice.hasAttribute('disabled') || this.hasAttribute('disabled');
        input.addEventListener('input', (event) => event.stopPropagation());
        input.addEventListener('change', (event) => {
          event.stopPropagation();
          this.values = [...this.shadowRoot.querySelectorAll('input:checked')].map(({ value }) => value);
          this.emit('input');
          this.emit('change');
        });
        const details = choice.querySelector('[slot=details]')?.textContent;
        const text = [...choice.childNodes]
          .filter((node) => node.slot !== 'details')
          .map((node) => node.textContent)
          .join('');
        const words = document.createElement('span');
        words.textContent = text;
        row.append(input, words);
        if (details)
          row.append(Object.assign(document.createElement('span'), { className: 'note', textContent: details }));
        return row;
      });
      this.find('fieldset > div').replaceChildren(...rows);
    }
    formResetCallback() {
      this.chosen = undefined;
      this.redraw();
    }
    update() {
      this.find('legend').textContent = this.label;
      this.find('legend').className = this.getAttribute('labelaccessibilityvisibility') === 'exclusive' ? 'unseen' : '';
      this.find('.error').textContent = this.error;
    }
  },
);

define(
  's-drop-zone',
  class extends PolarisElement {
    static formAssociated = true;
    static delegatesFocus = true;
    static style =
      ':host { display: block; } label { display: block; border: 1px dashed var(--p-field-line); border-radius: .75rem; padding: 1.5rem; text-align: center; cursor: pointer; } input { display: block; margin: .5rem auto 0; max-inline-size: 100%; } .error { color: var(--p-critical); } .error:empty { display: none; }';
    get files() {
      return [...(this.find('input')?.files ?? [])];
    }
    get value() {
      return this.find('input')?.value ?? '';
    }
    /** As in the browser's own file field, a script can remove the file by setting an empty value, but cannot set any other value. */
    set value(value) {
      const input = this.find('input');
      if (value === '' && input) input.value = '';
    }
    draw() {
      this.setContent(
        '<label><span></span><input type="file" /></label><p class="error" role="alert"></p><slot></slot>',
      );
      this.find('input').addEventListener('input', (event) => event.stopPropagation());
      this.find('input').addEventListener('change', (event) => {
        event.stopPropagation();
        this.emit('input');
        this.emit('change');
      });
    }
    update() {
      this.find('span').textContent = this.label;
      this.find('.error').textContent = this.error;
      this.find('input').accept = this.getAttribute('accept') ?? '';
      this.find('input').multiple = this.hasAttribute('multiple');
      this.find('input').disabled = this.hasAttribute('disabled');
    }
  },
);
