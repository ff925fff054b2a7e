/** Longer than the app's own time limits, so that its error response arrives first. */
const TIMEOUT_MS = 60_000;

/** Thrown if the app does not respond to a request, or responds with an error. The message is for the merchant. */
export class ApiError extends Error {
  override name = 'ApiError';
  /** The HTTP status, or 0 if no response arrived. */
  readonly status: number;
  /** The invalid field, or null. */
  readonly field: string | null;

  constructor(status: number, { message = '', field = null }: { message?: string; field?: string | null } = {}) {
    // The message begins with the name of the field, which a merchant does not know.
    super(message.startsWith(`${field}: `) ? message.slice(`${field}: `.length) : message);
    this.status = status;
    this.field = field;
  }
}

/**
 * Calls the app's API. Shopify resolves the path against the app's address and adds the session token. `language` is the language of the
 * app's messages. Throws ApiError, with an empty message if the app's response has none.
 */
export async function callApi<Result>(
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  { language, body }: { language: string; body?: unknown },
): Promise<Result> {
  const headers = { 'Accept-Language': language, 'Content-Type': 'application/json' };
  const content = body === undefined ? {} : { body: JSON.stringify(body) };
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(path, { method, headers, signal, ...content }).catch(() => null);
  const value = (await response?.json().catch(() => null)) as
    | (Result & { error?: { message?: string; field?: string | null } })
    | null;
  if (response?.ok && value !== null) return value;
  throw new ApiError(response?.status ?? 0, value?.error);
}

/** Returns the number at the end of an ID such as `gid://shopify/Order/1`. */
export function toNumericId(id: string): string {
  return id.slice(id.lastIndexOf('/') + 1);
}
