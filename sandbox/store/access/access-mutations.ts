import { changeScopes } from './change-scopes.ts';
import { allowedScopes } from './scopes.ts';
import { UserError } from '../graphql/run-mutation.ts';
import type { View } from '../graphql/view.ts';
import type { Views } from '../graphql/views.ts';

/** Returns the mutation with which the app revokes its scopes. */
export function accessMutations(views: Views): View {
  return {
    appRevokeAccessScopes: ({ scopes }: { scopes: string[] }) => {
      const { store, shop } = views;
      try {
        refuseRevoking(views, scopes);
      } catch (error) {
        if (!(error instanceof UserError)) throw error;
        return { revoked: null, userErrors: [{ field: error.field, message: error.message, code: error.code }] };
      }
      changeScopes(store, shop, { revoke: scopes });
      return { revoked: scopes.map((handle) => ({ handle, description: handle })), userErrors: [] };
    },
  };
}

function refuseRevoking({ store, shop }: Views, scopes: readonly string[]): void {
  const { app } = store.options;
  const refuse = (scope: string, why: string, code: string) => new UserError(['scopes'], `${scope} ${why}`, code);
  for (const scope of scopes) {
    if (allowedScopes(app.scopes).has(scope)) {
      throw refuse(scope, 'is required by the app.', 'CANNOT_REVOKE_REQUIRED_SCOPES');
    }
    if (shop.grantedScopes.includes(scope)) continue;
    if (allowedScopes(shop.grantedScopes).has(scope)) {
      throw refuse(scope, 'is implied by another scope.', 'CANNOT_REVOKE_IMPLIED_SCOPES');
    }
    throw refuse(scope, 'is not declared by the app.', 'CANNOT_REVOKE_UNDECLARED_SCOPES');
  }
}
