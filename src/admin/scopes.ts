import { ApiError } from './api.ts';
import { texts } from './texts/texts.ts';

/** Asks the merchant for permissions in Shopify's own dialog. Returns whether all of them were granted. */
export async function requestScopes(scopes: readonly string[]): Promise<boolean> {
  try {
    const { result } = await shopify.scopes.request([...scopes]);
    return result === 'granted-all';
  } catch {
    return false;
  }
}

/** Returns the names by which merchants know the permissions. */
export function formatScopes(scopes: readonly string[]): string {
  const names: Readonly<Record<string, string | undefined>> = texts.permissions.names;
  return scopes.map((scope) => names[scope] ?? scope).join(', ');
}

/** Runs a request. If a permission is missing, asks the merchant for it and retries the request once. Throws ApiError. */
export async function withPermission<Result>(request: () => Promise<Result>): Promise<Result> {
  try {
    return await request();
  } catch (error) {
    if (!(error instanceof ApiError) || error.scopes.length === 0) throw error;
    if (await requestScopes(error.scopes)) return request();
    const message = texts.permissions.refused(formatScopes(error.scopes));
    throw new ApiError({ code: error.code, status: error.status, field: error.field, message });
  }
}
