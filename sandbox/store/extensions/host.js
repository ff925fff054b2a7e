// A stand-in for the part of Shopify's admin that runs an extension: the global `shopify` with the API of its target.
(() => {
  const { target, locale, texts, selected, appUrl, tokenUrl, currency, timeZone } = JSON.parse(
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

  /** A relative address is one of the app. Requests to the app get a fresh session token. */
  window.fetch = async (input, init) => {
    const request = new Request(new URL(input instanceof Request ? input.url : input, appUrl), init);
    if (new URL(request.url).origin === new URL(appUrl).origin && !request.headers.has('authorization'))
      request.headers.set('authorization', `Bearer ${await idToken()}`);
    return plainFetch(request);
  };

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

  const extensions = new Map();
  const api = {
    extend: (name, run) => extensions.set(name, run),
    setSignals: () => undefined,
    extension: { target },
    data: { selected: selected.map((id) => ({ id })) },
    auth: { idToken },
    i18n: strict(
      {
        translate,
        formatNumber: (value, options) => new Intl.NumberFormat(locale, options).format(value),
        formatCurrency: (value, options) =>
          new Intl.NumberFormat(locale, { style: 'currency', currency, ...options }).format(value),
        formatDate: (value, options) => new Intl.DateTimeFormat(locale, { timeZone, ...options }).format(value),
      },
      'i18n',
    ),
  };
  if (target.endsWith('action.render')) api.close = () => document.body.replaceChildren('Closed');
  window.shopify = strict(api, 'shopify');

  window.addEventListener('load', () => {
    const run = extensions.get(target);
    if (run === undefined) refuse(`the script does not extend ${target}.`);
    else void run();
  });
})();
