(() => {
  if (customElements.get('platen-estimate')) return;
  const LONGEST_MS = 5000;

  class PlatenEstimate extends HTMLElement {
    connectedCallback() {
      // Only the theme editor renders a hint. The hint is read once, because a theme may move the element while an estimate is shown.
      this.hint ??= this.querySelector('.platen-estimate__text').textContent.trim();
      const skus = JSON.parse(this.dataset.skus);
      this.skus = new Map(JSON.parse(this.dataset.variants).map((id, index) => [String(id), skus[index]]));
      this.onChange = ({ target }) => this.choose(target);
      // Themes report a chosen variant by changing the field that is submitted to the cart.
      document.addEventListener('change', this.onChange);
      void this.show(this.dataset.variant);
    }

    disconnectedCallback() {
      document.removeEventListener('change', this.onChange);
    }

    choose(field) {
      const isVariant = field?.name === 'id' && field.form?.getAttribute('action')?.includes('/cart/add');
      if (isVariant && this.skus.has(field.value) && field.value !== this.dataset.variant) void this.show(field.value);
    }

    async show(variant) {
      this.dataset.variant = variant;
      const estimate = await this.request(variant);
      // The buyer may have chosen another variant in the meantime.
      if (this.dataset.variant === variant) this.write(estimate);
    }

    async request(variant) {
      const query = new URLSearchParams({ variant, country: this.dataset.country });
      const sku = this.skus.get(variant);
      if (sku) query.set('sku', sku);
      try {
        const response = await fetch(`${this.dataset.url}?${query}`, { signal: AbortSignal.timeout(LONGEST_MS) });
        return response.status === 200 ? await response.json() : null;
      } catch {
        return null;
      }
    }

    write(estimate) {
      const title = this.querySelector('.platen-estimate__title');
      const text = this.querySelector('.platen-estimate__text');
      title.hidden = estimate === null;
      if (estimate === null) {
        text.textContent = this.hint;
        return;
      }
      const days = new Intl.DateTimeFormat(this.dataset.locale, { day: 'numeric', month: 'short', timeZone: 'UTC' });
      const [from, until] = [estimate.from, estimate.until].map((day) => days.format(new Date(`${day}T00:00:00Z`)));
      const words = estimate.from === estimate.until ? this.dataset.on : this.dataset.between;
      text.textContent = words.replace('%from%', from).replace('%until%', until);
    }
  }

  customElements.define('platen-estimate', PlatenEstimate);
})();
