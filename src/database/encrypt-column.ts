import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { PlatenError } from '../errors.ts';

const VERSION = 'v1';
const IV_BYTES = 12;
const TAG_BYTES = 16;

interface Key {
  id: string;
  key: Buffer;
}

/**
 * Encrypts one column value with AES-256-GCM under the first key: `v1.<key id>.<iv>.<ciphertext and tag>`, base64url. `place` (table,
 * column and owner) is authenticated with the value, so a value that was copied to another row or shop cannot be decrypted.
 */
export function encryptColumn(keys: Key[], place: string, value: string): string {
  const [current] = keys;
  if (!current) throw new PlatenError('no_encryption_key', 'No encryption key is set: set ENCRYPTION_KEY.');
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', current.key, iv).setAAD(Buffer.from(place));
  const sealed = Buffer.concat([cipher.update(value, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return [VERSION, current.id, iv.toString('base64url'), sealed.toString('base64url')].join('.');
}

/**
 * Decrypts a value from `encryptColumn`. Throws PlatenError `cannot_decrypt` if the place differs, the key is unknown or a byte was
 * changed.
 */
export function decryptColumn(keys: Key[], place: string, encrypted: string): string {
  const [version, keyId, iv, sealed] = encrypted.split('.');
  const key = keys.find(({ id }) => id === keyId);
  if (version !== VERSION || iv === undefined || sealed === undefined) {
    throw new PlatenError('cannot_decrypt', `The encrypted value of ${place} is malformed.`);
  }
  if (!key) {
    throw new PlatenError(
      'cannot_decrypt',
      `The value of ${place} was encrypted with key ${keyId}: add that key to ENCRYPTION_KEYS_OLD.`,
    );
  }
  const bytes = Buffer.from(sealed, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', key.key, Buffer.from(iv, 'base64url')).setAAD(Buffer.from(place));
  decipher.setAuthTag(bytes.subarray(bytes.length - TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()]).toString('utf8');
  } catch {
    throw new PlatenError('cannot_decrypt', `The encrypted value of ${place} does not belong there or was changed.`);
  }
}
