// A stand-in for Shopify's App Bridge with the parts that the app's pages use. It also works outside the admin's frame.
(() => {
  const meta = document.querySelector('meta[name="shopify-api-key"]');
  const script = document.currentScript;
  const query = new URLSearchParams(location.search);
  const SHOP = 'app-bridge-shop';
  // Reading storage may throw, because a browser may block storage for a page in another site's frame.
  const storage = (() => {
    try {
      return window.sessionStorage;
    } catch {
      return null;
    }
  })();
  const config = {
    apiKey: meta?.content ?? script.dataset.apiKey ?? '',
    shop: query.get('shop') ?? storage?.getItem(SHOP) ?? '',
    host: query.get('host') ?? '',
    locale: query.get('locale') ?? 'en',
  };
  storage?.setItem(SHOP, config.shop);
  const admin = `${new URL(script.src).origin}/${config.shop}/admin`;
  const plainFetch = window.fetch.bind(window);

  async function callAdmin(path, body) {
    const answer = await plainFetch(
      `${admin}/${path}`,
      body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
    );
    const result = await answer.json();
    if (!answer.ok) throw new Error(result.message);
    return result;
  }

  const idToken = async () => (await callAdmin('id-token')).token;

  /**
   * Adds a fresh session token to requests to the app's own origin. If the app rejects the token, retries the request once with a new
   * token.
   */
  async function fetchAsApp(input, init) {
    const request = new Request(input, init);
    if (new URL(request.url).origin !== location.origin || request.headers.has('authorization'))
      return plainFetch(request);
    const send = async (one) => {
      one.headers.set('authorization', `Bearer ${await idToken()}`);
      return plainFetch(one);
    };
    const again = request.clone();
    const answer = await send(request);
    const isStale = answer.status === 401 && answer.headers.has('x-shopify-retry-invalid-session-request');
    return isStale ? send(again) : answer;
  }

  function showToast(message) {
    const toast = document.createElement('div');
    toast.setAttribute('role', 'status');
    toast.dataset.toast = '';
    toast.textContent = message;
    toast.style.cssText =
      'position:fixed;bottom:1rem;left:50%;transform:translateX(-50%);padding:.5rem 1rem;border-radius:.5rem;background:#303030;color:#fff;font:14px sans-serif';
    document.body.append(toast);
    setTimeout(() => toast.remove(), 5000);
    return message;
  }

  window.shopify = {
    config,
    idToken,
    scopes: {
      query: () => callAdmin('app-bridge/scopes'),
      request: (scopes) => callAdmin('app-bridge/scopes', { request: scopes }),
      revoke: (scopes) => callAdmin('app-bridge/scopes', { revoke: scopes }),
    },
    toast: { show: showToast, hide: () => document.querySelector('[data-toast]')?.remove() },
  };
  window.fetch = fetchAsApp;

  const reload = query.get('shopify-reload');
  if (reload === null) return;
  void idToken().then((token) => {
    const target = new URL(reload, location.origin);
    target.searchParams.set('id_token', token);
    location.replace(target);
  });
})();
