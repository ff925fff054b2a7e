import type { App } from '../../src/app.ts';

/** Returns an app in which the store's first response to the named query is delayed until `happens` has finished. */
export function withLateResponse(app: App, name: string, happens: () => Promise<unknown>): App {
  let isLate = true;
  const admin: App['shopify']['admin'] = (access) => {
    const api = app.shopify.admin(access);
    const request: typeof api.request = async (document, variables) => {
      const answer = await api.request(document, variables);
      if (isLate && document.name === name) {
        isLate = false;
        await happens();
      }
      return answer;
    };
    return { ...api, request };
  };
  return { ...app, shopify: { ...app.shopify, admin } };
}
