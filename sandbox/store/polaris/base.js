// The common base of the stand-in's elements. It is strict: a tag, attribute, slot or event that Polaris does not have is an error.

/** Attributes that every element may have. */
const GLOBAL_ATTRIBUTES = /^(id|slot|hidden|class|style|lang|dir|tabindex|key|data-.+)$/;
/** Events that every element may have, because they bubble from its content. */
const GLOBAL_EVENTS = new Set(['keydown', 'submit', 'invalid', 'transitionend', 'slotchange']);

/** Reports an error in the page's markup or script. The error reaches `window.onerror`, so a test that watches the page fails. */
export function refuse(message) {
  window.reportError(new Error(`Polaris: ${message}`));
}

const toAttribute = (property) => property.toLowerCase();

/** Styles that all elements share. The colors match the admin's light and dark themes. */
const BASE_STYLE = `
  :host { box-sizing: border-box; }
  :host([hidden]) { display: none !important; }
  *, *::before, *::after { box-sizing: border-box; }
  a, button, input, select, textarea { font: inherit; color: inherit; }
  :focus-visible { outline: 2px solid var(--p-focus); outline-offset: 1px; }
  .unseen { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
`;

export class PolarisElement extends HTMLElement {
  /** The element's own style. Subclasses replace the style and the template. */
  static style = '';
  static properties = [];

  constructor() {
    super();
    this.attachShadow({ mode: 'open', delegatesFocus: this.constructor.delegatesFocus ?? false });
  }

  static get observedAttributes() {
    return this.properties.map(({ attribute }) => attribute);
  }

  connectedCallback() {
    this.check();
    if (!this.isDrawn) {
      this.isDrawn = true;
      this.draw();
      this.watchAttributes();
    }
    this.update();
  }

  disconnectedCallback() {}

  attributeChangedCallback() {
    if (this.isDrawn) this.update();
  }

  /** Writes the shadow content once. */
  draw() {
    this.setContent('<slot></slot>');
  }

  setContent(markup) {
    this.shadowRoot.innerHTML = `<style>${BASE_STYLE}${this.constructor.style}</style>${markup}`;
  }

  /** Updates the shadow content after the element's attributes have changed. */
  update() {}

  find(selector) {
    return this.shadowRoot.querySelector(selector);
  }

  check() {
    for (const { name } of this.attributes) this.checkAttribute(name);
    const parent = this.parentElement;
    const slots = parent && POLARIS[parent.localName]?.slots;
    const slot = this.getAttribute('slot');
    if (slot && slots && !slots.includes(slot)) refuse(`<${parent.localName}> has no slot "${slot}".`);
    if (this.localName.startsWith('s-') && slots && slots.length === 0)
      refuse(`<${parent.localName}> takes no content.`);
  }

  checkAttribute(name) {
    if (GLOBAL_ATTRIBUTES.test(name)) return;
    const known = this.constructor.properties.some(({ attribute }) => attribute === name);
    if (!known) refuse(`<${this.localName}> has no attribute "${name}".`);
    const { values } = this.constructor.properties.find(({ attribute }) => attribute === name) ?? {};
    const value = this.getAttribute(name);
    if (values && value !== '' && !values.includes(value)) refuse(`<${this.localName} ${name}> cannot be "${value}".`);
  }

  watchAttributes() {
    new MutationObserver((changes) => {
      for (const { attributeName } of changes) this.checkAttribute(attributeName);
    }).observe(this, { attributes: true });
  }

  addEventListener(type, ...rest) {
    const { events } = POLARIS[this.localName];
    if (!events.includes(type) && !GLOBAL_EVENTS.has(type)) refuse(`<${this.localName}> has no event "${type}".`);
    super.addEventListener(type, ...rest);
  }

  emit(type, init = {}) {
    return this.dispatchEvent(new Event(type, { bubbles: true, ...init }));
  }
}

/** Whether the element's class, or one of its superclasses below the common base, defines the property. */
function hasOwn(Element, name) {
  for (let one = Element.prototype; one !== PolarisElement.prototype; one = Object.getPrototypeOf(one))
    if (Object.hasOwn(one, name)) return true;
  return false;
}

/** Defines an element with the properties, slots and events of Polaris's own manifest. */
export function define(tag, Element) {
  const manifest = POLARIS[tag];
  if (!manifest) throw new Error(`Polaris has no element ${tag}.`);
  Element.properties = manifest.properties.map((one) => ({ ...one, attribute: toAttribute(one.name) }));
  for (const { name, isFlag } of Element.properties) {
    if (hasOwn(Element, name)) continue;
    const attribute = toAttribute(name);
    Object.defineProperty(Element.prototype, name, {
      configurable: true,
      get() {
        return isFlag ? this.hasAttribute(attribute) : (this.getAttribute(attribute) ?? '');
      },
      set(value) {
        if (value === null || value === undefined || value === false) this.removeAttribute(attribute);
        else this.setAttribute(attribute, value === true ? '' : String(value));
      },
    });
  }
  for (const event of manifest.events) {
    if (`on${event}` in Element.prototype) continue;
    Object.defineProperty(Element.prototype, `on${event}`, { configurable: true, writable: true, value: null });
  }
  customElements.define(tag, Element);
}

/** Reports tags that begin with `s-` but do not exist in Polaris or App Bridge, or that this stand-in does not implement yet. */
function watchTags(root) {
  const check = (element) => {
    if (!element.localName.startsWith('s-')) return;
    if (!customElements.get(element.localName) || TAGS?.includes(element.localName) === false)
      refuse(`there is no element <${element.localName}>.`);
  };
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes)
      for (const node of addedNodes) if (node instanceof Element) [node, ...node.querySelectorAll('*')].forEach(check);
  }).observe(root, { childList: true, subtree: true });
}

const PAGE_STYLE = `
  :root {
    color-scheme: light dark;
    --p-page: #f1f1f1; --p-card: #fff; --p-card-subdued: #f7f7f7; --p-line: #e3e3e3; --p-field-line: #8a8a8a;
    --p-text: #303030; --p-subdued: #616161; --p-link: #005bd3; --p-focus: #005bd3;
    --p-primary: #303030; --p-primary-text: #fff; --p-hover: #f1f1f1; --p-skeleton: #e3e3e3;
    --p-success: #0c5132; --p-success-fill: #cdfee1; --p-info: #003a5a; --p-info-fill: #e0f0ff;
    --p-warning: #5e4200; --p-warning-fill: #ffef9d; --p-caution: #4f4700; --p-caution-fill: #fff8db;
    --p-critical: #8e0b21; --p-critical-fill: #fedad9; --p-neutral: #303030; --p-neutral-fill: #e3e3e3;
  }
  @media (prefers-color-scheme: dark) {
    :root {
      --p-page: #1a1a1a; --p-card: #242424; --p-card-subdued: #2e2e2e; --p-line: #3d3d3d; --p-field-line: #8a8a8a;
      --p-text: #e3e3e3; --p-subdued: #b5b5b5; --p-link: #91c3ff; --p-focus: #91c3ff;
      --p-primary: #e3e3e3; --p-primary-text: #1a1a1a; --p-hover: #333; --p-skeleton: #3d3d3d;
      --p-success: #b4fed1; --p-success-fill: #0c3b25; --p-info: #cbe6ff; --p-info-fill: #00314d;
      --p-warning: #ffe58a; --p-warning-fill: #4a3400; --p-caution: #fff4bf; --p-caution-fill: #403900;
      --p-critical: #fec1c7; --p-critical-fill: #5c0a18; --p-neutral: #e3e3e3; --p-neutral-fill: #444;
    }
  }
  body { margin: 0; background: var(--p-page); color: var(--p-text);
    font: 13px/20px Inter, -apple-system, BlinkMacSystemFont, "Segoe UI", Roboto, sans-serif; }
`;
document.head.append(Object.assign(document.createElement('style'), { textContent: PAGE_STYLE }));
watchTags(document.documentElement);
