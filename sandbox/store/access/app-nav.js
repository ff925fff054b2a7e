// Part of the stand-in for App Bridge.
/** The app's entries in the admin's navigation, which the admin shows beside the app's frame. */
class AppNav extends HTMLElement {
  connectedCallback() {
    const root = this.shadowRoot ?? this.attachShadow({ mode: 'open' });
    root.innerHTML =
      '<style>nav{display:flex;flex-wrap:wrap;gap:1rem;padding:.5rem 1rem;background:#1a1a1a;font:13px/20px sans-serif} ::slotted(*){color:#fff!important;--p-link:#fff}</style><nav aria-label="Admin navigation"><slot></slot></nav>';
    this.addEventListener('click', (event) => {
      const link = event.target.closest('[href]');
      if (!link) return;
      event.preventDefault();
      link.dispatchEvent(new Event('shopify:navigate', { bubbles: true }));
    });
  }
}
customElements.define('s-app-nav', AppNav);
