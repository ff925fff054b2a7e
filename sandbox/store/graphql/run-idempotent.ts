import { createHash } from 'node:crypto';
import { getDirectiveValues, type GraphQLResolveInfo } from 'graphql';
import type { Views } from './views.ts';
import { queryError } from './view.ts';

/**
 * Runs a mutation once for each key of the `@idempotent` directive, which some mutations have required since 2026-04. A second request with
 * the same key and arguments has no effect. A request with the same key but other arguments, or without the directive, is rejected.
 */
export function runIdempotent({ store, shop }: Views, info: GraphQLResolveInfo, input: unknown, act: () => void): void {
  const [node] = info.fieldNodes;
  const directive = info.schema.getDirective('idempotent');
  const values = node && directive ? getDirectiveValues(directive, node, info.variableValues) : undefined;
  const key = values?.['key'];
  if (typeof key !== 'string' || key === '') {
    throw queryError('The @idempotent directive is required for this mutation but was not provided.');
  }
  const id = `${shop.domain} ${info.fieldName} ${key}`;
  const hash = createHash('sha256').update(JSON.stringify(input)).digest('hex');
  const known = store.books.get<string>('idempotency', id);
  if (known !== undefined && known !== hash) {
    throw queryError(
      'The same idempotency key cannot be used with different operation parameters.',
      'IDEMPOTENCY_KEY_PARAMETER_MISMATCH',
    );
  }
  if (known === undefined) act();
  store.books.put('idempotency', id, hash);
}
