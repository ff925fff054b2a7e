import type { App } from '../../app.ts';
import { parseProcessName } from '../../database/process-name.ts';

/**
 * Returns the sorted IDs of the keys, other than this process's key, with which processes on this database currently encrypt. `unknown`
 * stands for versions that do not report their key.
 */
export async function findOtherKeys({ db, config }: Pick<App, 'db' | 'config'>): Promise<string[]> {
  const rows: { name: string }[] = await db.query(
    `select distinct application_name as name from pg_stat_activity where datname = current_database() and starts_with(application_name, 'platen')`,
  );
  const keys = rows.flatMap(({ name }) => {
    const process = parseProcessName(name);
    return process ? [process.keyId ?? 'unknown'] : [];
  });
  const current = config.encryptionKeys[0]?.id;
  return [...new Set(keys)].filter((key) => key !== current).toSorted();
}
