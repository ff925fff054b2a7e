/** Longer than the server's own time limits, so that its error response arrives first. */
const TIMEOUT_MS = 60_000;
/** Dispatched when a request may have taken effect although no response arrived. */
const UNCERTAIN_EVENT = 'platen-uncertain';

/** Thrown if the API does not respond to a request, or responds with an error. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly code: string;
  readonly status: number;
  /** The invalid field, or null. */
  readonly field: string | null;
  /** The rule that the value breaks, or null. */
  readonly rule: string | null;
  /** The permissions that the merchant must grant first. */
  readonly scopes: readonly string[];
  /** Whether the request may have changed something although no response arrived. */
  readonly isUncertain: boolean;

  constructor({
    code,
    status,
    message,
    field = null,
    rule = null,
    scopes = [],
    isUncertain = false,
  }: ErrorBody & { status: number; isUncertain?: boolean }) {
    super(message);
    this.code = code;
    this.status = status;
    this.field = field;
    this.rule = rule;
    this.scopes = scopes;
    this.isUncertain = isUncertain;
  }
}

interface ErrorBody {
  code: string;
  message: string;
  field?: string | null;
  rule?: string | null;
  scopes?: readonly string[];
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/**
 * Calls the app's API. App Bridge adds the session token, and renews it if it has expired. `isReadOnlyRequest`: whether the request changes
 * nothing although its method is not GET. If a change gets no response, the page reloads its data. Throws ApiError.
 */
export async function callApi<Result>(
  method: Method,
  path: string,
  body?: unknown,
  { isReadOnlyRequest = false }: { isReadOnlyRequest?: boolean } = {},
): Promise<Result> {
  try {
    return await requestJson<Result>(method, path, body);
  } catch (error) {
    // If an error has no message from the app, the server or a proxy may have failed after the change.
    const isLost = error instanceof ApiError && error.message === '' && (error.status === 0 || error.status >= 500);
    if (!isLost || method === 'GET' || isReadOnlyRequest) throw error;
    window.dispatchEvent(new Event(UNCERTAIN_EVENT));
    throw new ApiError({ code: error.code, status: error.status, message: '', isUncertain: true });
  }
}

/** Calls `run` whenever a request may have taken effect although no response arrived. Returns a function that unsubscribes. */
export function onUncertainRequest(run: () => void): () => void {
  window.addEventListener(UNCERTAIN_EVENT, run);
  return () => window.removeEventListener(UNCERTAIN_EVENT, run);
}

async function requestJson<Result>(method: Method, path: string, body: unknown): Promise<Result> {
  const response = await fetchWithTimeout(method, path, body);
  if (response.status === 204) return null as Result;
  const value: unknown = await response.json().catch(() => null);
  if (response.ok && value !== null) return value as Result;
  const { error } = (value ?? {}) as { error?: ErrorBody };
  // A response whose body did not arrive counts as no response.
  const status = response.ok ? 0 : response.status;
  throw new ApiError({ code: 'failed', message: '', ...error, status });
}

/** Downloads a file from the API. A plain link would carry no session token. */
export async function download(path: string, name: string): Promise<void> {
  const response = await fetchWithTimeout('GET', path);
  if (!response.ok) throw new ApiError({ code: 'failed', message: '', status: response.status });
  const link = document.createElement('a');
  link.href = URL.createObjectURL(await response.blob());
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

async function fetchWithTimeout(method: Method, path: string, body?: unknown): Promise<Response> {
  // A file is sent unchanged, so that the server can detect its encoding.
  const isFile = typeof body === 'string' || body instanceof Blob;
  const headers = {
    'Content-Type': isFile ? 'text/csv' : 'application/json',
    'Accept-Language': document.documentElement.lang,
  };
  const content = body === undefined ? {} : { body: isFile ? body : JSON.stringify(body) };
  try {
    return await window.fetch(path, { method, headers, ...content, signal: AbortSignal.timeout(TIMEOUT_MS) });
  } catch {
    throw new ApiError({ code: 'no_answer', message: '', status: 0 });
  }
}
