/** Has the store ask the merchant for permissions. Returns whether all of them were granted. */
export async function requestScopes(scopes: readonly string[]): Promise<boolean> {
  try {
    const { result } = await shopify.scopes.request([...scopes]);
    return result === 'granted-all';
  } catch {
    return false;
  }
}
