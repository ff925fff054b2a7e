import { randomBytes, randomInt } from 'node:crypto';
import type { App } from '../app.ts';
import { decryptColumn, encryptColumn } from '../database/encrypt-column.ts';
import { Installations } from '../database/shops.ts';

const CODE_CHARACTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';
const CODE_LENGTH = 4;
const KEY_BYTES = 32;
const KEY_PLACE = 'installation.reference_key';

/** What references are made with (created-once page, ground rules), and until when nothing may be submitted after a restore. */
export interface InstallationSecrets {
  code: string;
  referenceKey: Buffer;
  quietUntil: Date | null;
}

/** Makes the installation's code and reference key once; of two that do so at once, one makes it. */
export async function ensureInstallation(app: App): Promise<void> {
  const code = Array.from({ length: CODE_LENGTH }, () => CODE_CHARACTERS[randomInt(CODE_CHARACTERS.length)]).join('');
  const key = randomBytes(KEY_BYTES).toString('base64');
  const referenceKeyEncrypted = encryptColumn(app.config.encryptionKeys, KEY_PLACE, key);
  const row = { id: 1, code, referenceKeyEncrypted };
  await app.db.createQueryBuilder().insert().into(Installations).values(row).orIgnore().execute();
}

/** The installation of this database. Throws when no shop was ever installed, and PlatenError `cannot_decrypt`. */
export async function readInstallation(app: App): Promise<InstallationSecrets> {
  const row = await app.db.getRepository(Installations).findOneByOrFail({ id: 1 });
  const key = decryptColumn(app.config.encryptionKeys, KEY_PLACE, row.referenceKeyEncrypted);
  return { code: row.code, referenceKey: Buffer.from(key, 'base64'), quietUntil: row.quietUntil };
}

/**
 * A backup was restored: calls of the time after it may still take effect, so nothing is submitted before the returned time
 * (SUBMIT_QUIET_SECONDS from now).
 */
export async function restoredNow(app: App): Promise<Date> {
  await ensureInstallation(app);
  const quietUntil = new Date(app.now().getTime() + app.config.print.submitQuietSeconds * 1000);
  await app.db.getRepository(Installations).update({ id: 1 }, { quietUntil });
  return quietUntil;
}
