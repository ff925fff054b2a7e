/** Marks a `fetch` that already checks calls. The test files of a worker share the global `fetch`, which must be replaced only once. */
const CHECKS = Symbol.for('platen.checks-api-calls');

/**
 * Makes each `fetch` from a test to the app's API reject if its request or response differs from the OpenAPI document. Vitest runs this
 * file before each test file.
 */
function checkApiCalls(): void {
  const original = globalThis.fetch;
  if (CHECKS in original) return;
  const checking: typeof fetch = async (input, options) => {
    const response = await original(input, options);
    const url = input instanceof Request ? input.url : String(input);
    if (!url.includes('/api/')) return response;
    // Most test files call no API, so they do not load its schemas.
    const { describeDifferences, findDifferences, isApiCall } = await import('./check-api.ts');
    const method = options?.method ?? (input instanceof Request ? input.method : 'GET');
    if (!isApiCall(method, url)) return response;
    const sent = typeof options?.body === 'string' ? options.body : null;
    const type = response.headers.get('Content-Type');
    const language = response.headers.get('Content-Language');
    const received = await response.clone().text();
    const { status } = response;
    const differences = findDifferences({ method, url, sent, status, type, language, received });
    if (differences.length > 0) throw new Error(describeDifferences({ method, url }, differences));
    return response;
  };
  globalThis.fetch = Object.assign(checking, { [CHECKS]: true });
}

checkApiCalls();
