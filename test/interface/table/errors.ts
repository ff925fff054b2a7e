// The rules and messages in docs/rules/print-interface.md#errors.

/** Authentication rules. */
export const AUTHENTICATION = [
  'every request carries the key in X-API-KEY',
  'requests must use HTTPS',
  'a request without a valid key fails with 401',
] as const;

/** HTTP codes that apply to every call. The fault control endpoint of the stand-in provokes failures of the service itself. */
export const HTTP_CODES = [
  { status: 200, meaning: 'success' },
  { status: 400, meaning: 'bad request, often a missing required parameter' },
  { status: 401, meaning: 'no valid API key' },
  { status: 404, meaning: 'resource does not exist' },
  { status: 429, meaning: 'too many requests' },
  { status: 500, meaning: 'server problem; retry later' },
  { status: 502, meaning: 'server-side error' },
  { status: 503, meaning: 'server-side error' },
  { status: 504, meaning: 'server-side error' },
] as const;

/** Messages of the earlier interface, identical in v1 and v2. */
export const EARLIER_ERRORS = [
  { call: 'quote', status: 400, meaning: 'invalid request body' },
  { call: 'quote', status: 400, meaning: 'product UID does not exist' },
  { call: 'quote', status: 404, meaning: 'currency not supported' },
  { call: 'quote', status: 404, meaning: 'country not supported' },
  {
    call: 'quote',
    status: 404,
    meaning: 'delivery to the destination not possible; check recipient address',
  },
  { call: 'quote', status: 404, meaning: 'a product is not supported for the destination' },
  { call: 'order create', status: 400, meaning: 'invalid request body' },
  { call: 'order status', status: 404, meaning: 'order not found' },
] as const;
