/** Paths of the earlier interface on either of its hosts. */
const LEGACY_PATHS = ['/v1/order/', '/v1/quote', '/v2/'];
const TEST_HOST = '/test';

/**
 * Returns the body of an error in the format of the called interface. In the earlier interface, an error has only a message
 * (docs/rules/print-interface.md#error-body).
 */
export function toErrorBody(path: string, code: string, message: string): object {
  const atHost = path.startsWith(`${TEST_HOST}/`) ? path.slice(TEST_HOST.length) : path;
  return LEGACY_PATHS.some((start) => atHost.startsWith(start)) ? { message } : { code, message, details: [] };
}
