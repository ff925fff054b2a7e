import { ApiError } from './api.ts';
import { texts } from './texts/texts.ts';

/** Has the store ask the merchant for permissions. Returns whether all of them were granted. */
export async function requestScopes(scopes: readonly string[]): Promise<boolean> {
  try {
    const { result } = await shopify.scopes.request([...scopes]);
    return result === 'granted-all';
  } catch {
    return false;
  }
}

/** Runs a request. If the store must grant a permission first, asks for it and tries once more. Throws ApiError. */
export async function withPermission<Answer>(request: () => Promise<Answer>): Promise<Answer> {
  try {
    return await request();
  } catch (error) {
    if (!(error instanceof ApiError) || error.scopes.length === 0) throw error;
    if (await requestScopes(error.scopes)) return request();
    const message = texts.permissions.refused(error.scopes.join(', '));
    throw new ApiError({ code: error.code, status: error.status, field: error.field, message });
  }
}
