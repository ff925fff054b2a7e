// A stand-in for the part of Shopify's pages that runs an extension: the global `shopify` with the API of its target.
(() => {
  const { target, locale, texts, selected, appUrl, tokenUrl, currency, timeZone, buyer } = JSON.parse(
    document.getElementById('extension').textContent,
  );
  const plainFetch = window.fetch.bind(window);

  function refuse(message) {
    window.reportError(new Error(`Extension: ${message}`));
  }

  /** Reports an access to a part of the API that the target does not have. */
  function strict(api, name) {
    return new Proxy(api, {
      get(object, key) {
        if (typeof key === 'string' && !(key in object)) refuse(`${target} has no ${name}.${key}.`);
        return object[key];
      },
    });
  }

  const idToken = async () => (await (await plainFetch(tokenUrl)).json()).token;

  /** A relative address belongs to the app. Requests to the app get a fresh session token. */
  async function fetchForAdmin(input, init) {
    const request = new Request(new URL(input instanceof Request ? input.url : input, appUrl), init);
    if (new URL(request.url).origin === new URL(appUrl).origin && !request.headers.has('authorization'))
      request.headers.set('authorization', `Bearer ${await idToken()}`);
    return plainFetch(request);
  }

  /** Extensions on a buyer's page need a capability for network access, which the app does not have. */
  async function refuseFetch() {
    refuse('the network needs the capability network_access.');
    throw new TypeError('Failed to fetch');
  }

  window.fetch = buyer === undefined ? fetchForAdmin : refuseFetch;

  function translate(key, replacements = {}) {
    const find = (tree) => key.split('.').reduce((one, part) => one?.[part], tree);
    let text = find(texts[locale]) ?? find(texts.en);
    if (typeof text === 'object' && text !== null)
      text = text[new Intl.PluralRules(locale).select(replacements.count)] ?? text.other;
    if (typeof text !== 'string') {
      refuse(`the text ${key} is missing.`);
      return key;
    }
    return text.replaceAll(/\{\{\s*(\w+)\s*\}\}/g, (_, name) => {
      if (!(name in replacements)) refuse(`the text ${key} needs ${name}.`);
      return String(replacements[name]);
    });
  }

  /** The option for the extension's own language, which is the fallback for a language without texts. */
  const localeFor = ({ inExtensionLocale = false } = {}) => (inExtensionLocale && !(locale in texts) ? 'en' : locale);

  const extensions = new Map();
  const shared = {
    extend: (name, run) => extensions.set(name, run),
    setSignals: () => undefined,
    extension: { target },
    i18n: strict(
      {
        translate,
        formatNumber: (value, options) => new Intl.NumberFormat(localeFor(options), options).format(value),
        formatCurrency: (value, options) =>
          new Intl.NumberFormat(localeFor(options), { style: 'currency', currency, ...options }).format(value),
        formatDate: (value, options) =>
          new Intl.DateTimeFormat(localeFor(options), { timeZone, ...options }).format(value),
      },
      'i18n',
    ),
  };

  /** The API of the admin's targets. */
  function toAdminApi() {
    return { ...shared, data: { selected: selected.map((id) => ({ id })) }, auth: { idToken } };
  }

  /** The API of the targets on the page of a buyer's order, from `OrderStatusApi` and `StandardApi` in Shopify's types. */
  function toOrderStatusApi() {
    const signal = (value) => ({ value, current: value, subscribe: () => () => undefined, destroy: async () => {} });
    const language = { isoCode: locale };
    return {
      ...shared,
      extensionPoint: target,
      version: '2026-07',
      extension: {
        target,
        apiVersion: '2026-07',
        capabilities: signal([]),
        rendered: signal(true),
        scriptUrl: document.currentScript?.src ?? '',
        version: undefined,
        editor: buyer.editor === null ? undefined : { type: buyer.editor },
      },
      localization: {
        currency: signal({ isoCode: currency }),
        timezone: signal(timeZone),
        language: signal(language),
        extensionLanguage: signal({ isoCode: localeFor({ inExtensionLocale: true }) }),
        country: signal(buyer.country === null ? undefined : { isoCode: buyer.country }),
        market: signal(undefined),
      },
      shop: buyer.shop,
      order: signal(buyer.order),
      appMetafields: signal(buyer.appMetafields),
      settings: signal({}),
      authenticationState: signal(buyer.authentication),
      authenticatedAccount: { customer: signal(undefined), purchasingCompany: signal(undefined) },
      requireLogin: async () => document.body.replaceChildren('Signing in'),
    };
  }

  const api = buyer === undefined ? toAdminApi() : toOrderStatusApi();
  if (/[.-]action\.render$/.test(target) && !target.includes('print-action'))
    api.close = () => document.body.replaceChildren('Closed');
  window.shopify = strict(api, 'shopify');

  window.addEventListener('load', () => {
    const run = extensions.get(target);
    if (run === undefined) refuse(`the script does not extend ${target}.`);
    else void run();
  });
})();
