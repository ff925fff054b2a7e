import type { App } from '../../app.ts';
import type { Queryable } from '../../jobs/enqueue.ts';

/**
 * Selects the IDs of the encryption keys that the stored secrets need. The installation's reference key is always included, because it
 * exists from the first install on. After a key change, values have different keys until `platen rotate-keys` has run, so the shops' tokens
 * and the print keys in use are checked too.
 */
const KEY_IDS = `
  select split_part(value, '.', 2) as "keyId" from (
    select reference_key_encrypted as value from installation
    union all
    select t.access_token_encrypted from shop_tokens t join shops s on s.id = t.shop_id and s.state <> 'uninstalled'
    union all
    select a.key_encrypted from print_accounts a
    where exists (select from shops s where s.print_account_id = a.id and s.state <> 'uninstalled')
  ) as stored where value like 'v1.%' group by 1 order by 1`;

/** The tables that `findKeyProblem` reads. */
export const KEY_TABLES = ['installation', 'shops', 'shop_tokens', 'print_accounts'] as const;

/**
 * Returns why stored secrets cannot be decrypted with ENCRYPTION_KEY and ENCRYPTION_KEYS_OLD, as a sentence for the operator that names
 * keys only by their IDs. Returns null if they can be decrypted, or if there are no secrets yet.
 */
export async function findKeyProblem({ db, config }: Pick<App, 'config'> & { db: Queryable }): Promise<string | null> {
  const known = new Set(config.encryptionKeys.map(({ id }) => id));
  const stored = (await db.query(KEY_IDS)) as { keyId: string }[];
  const missing = stored.map(({ keyId }) => keyId).filter((keyId) => !known.has(keyId));
  if (missing.length === 0) return null;
  const keys = missing.length === 1 ? `the key ${missing[0]}` : `the keys ${missing.join(', ')}`;
  const given = config.encryptionKeys.map(({ id }) => id).join(', ');
  return `Secrets in this database are encrypted with ${keys}, but only ${given} is configured. Set ENCRYPTION_KEY to the correct key, or add the missing key to ENCRYPTION_KEYS_OLD.`;
}
