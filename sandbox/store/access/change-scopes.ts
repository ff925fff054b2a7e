import { exactJson } from '../graphql/exact-json.ts';
import { toNumericId } from '../graphql/gid.ts';
import type { Shop } from '../state.ts';
import type { Store } from '../store.ts';

/** Grants scopes to the app or revokes them in a shop, and sends a webhook if the granted scopes change. */
export function changeScopes(
  store: Store,
  shop: Shop,
  { grant = [], revoke = [] }: { grant?: readonly string[]; revoke?: readonly string[] },
): Shop {
  const previous = shop.grantedScopes;
  const current = [...new Set([...previous, ...grant])].filter((scope) => !revoke.includes(scope));
  if (current.join() === previous.join()) return shop;
  const changed = { ...shop, grantedScopes: current };
  const body = exactJson({
    id: BigInt(toNumericId(shop.id)),
    previous,
    current,
    updated_at: store.clock.now().toISOString(),
  });
  store.write([['put', 'shops', shop.domain, changed]], [{ shop: shop.domain, topic: 'app/scopes_update', body }]);
  return changed;
}
