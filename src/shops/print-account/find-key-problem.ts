import type { App } from '../../app.ts';

/**
 * The ids of the keys that secrets are encrypted with. Every database has the installation's own key from its first shop on; since that one
 * keeps its original encryption key, the secrets in use show whether later keys are available too.
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

/**
 * Why stored secrets cannot be decrypted with ENCRYPTION_KEY and ENCRYPTION_KEYS_OLD, as a sentence for the operator that names keys only
 * by their ids. Null if they can, or if there are no secrets yet.
 */
export async function findKeyProblem({ db, config }: Pick<App, 'db' | 'config'>): Promise<string | null> {
  const known = new Set(config.encryptionKeys.map(({ id }) => id));
  const stored: { keyId: string }[] = await db.query(KEY_IDS);
  const missing = stored.map(({ keyId }) => keyId).filter((keyId) => !known.has(keyId));
  if (missing.length === 0) return null;
  const keys = missing.length === 1 ? `the key ${missing[0]}` : `the keys ${missing.join(', ')}`;
  const given = config.encryptionKeys.map(({ id }) => id).join(', ');
  return `Secrets in this database are encrypted with ${keys}, but only ${given} is configured. Set ENCRYPTION_KEY to the right key, or add the missing one to ENCRYPTION_KEYS_OLD.`;
}
