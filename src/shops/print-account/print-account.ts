import { createHmac, hkdfSync } from 'node:crypto';
import { In, IsNull, Not, type EntityManager } from 'typeorm';
import type { App } from '../../app.ts';
import { decryptColumn, encryptColumn } from '../../database/encrypt-column.ts';
import { encryptedColumns } from '../../database/encrypted-columns.ts';
import { PrintAccounts, Shops } from '../../database/entities/shops.ts';
import type { PrintAccount, Shop } from '../../database/entities/shops.ts';
import { insertIfNew } from '../../database/insert-if-new.ts';
import { NotFoundError } from '../../errors.ts';
import type { PrintService } from '../../print/client.ts';
import { openPort } from '../../print/open-port.ts';
import type { PrintInterface, PrintPort } from '../../print/port.ts';
import { enqueueResumeShop } from '../enqueue-shop-jobs.ts';
import { truncateText } from '../../truncate-text.ts';

const MAX_MESSAGE = 500;
/**
 * The bounds of the interval between probe orders while payments are refused. Within these bounds, the interval equals the time from the
 * first refusal to the last probe.
 */
const MIN_PROBE_SECONDS = 60;
const MAX_PROBE_SECONDS = 900;

/**
 * Finds the print account for an API key, or creates it if the key is new. Shops with the same key share the account. The account is found
 * by a keyed hash of the API key, because encrypting the same key gives a different result each time.
 */
export async function findOrCreatePrintAccount(app: App, key: string): Promise<PrintAccount> {
  const [fingerprint, ...olderFingerprints] = toFingerprints(app, key);
  const accounts = app.db.getRepository(PrintAccounts);
  const kept = { keyFingerprint: fingerprint, keyEncrypted: encryptKey(app, fingerprint, key) };
  const known = await accounts.findOneBy({ keyFingerprint: fingerprint });
  if (known) return known;
  // An account that was created before a rotation of the encryption key has a fingerprint made with the old key.
  await accounts.update({ keyFingerprint: In(olderFingerprints) }, kept);
  await insertIfNew(app.db.manager, PrintAccounts, kept);
  return accounts.findOneByOrFail({ keyFingerprint: fingerprint });
}

/**
 * Returns a print account and the service for its key. `extendedCalls`: whether the service offers extended calls. `manager`: the
 * transaction in which the account is read. Throws NotFoundError, and PlatenError `cannot_decrypt`.
 */
export async function openPrintAccount(
  app: App,
  accountId: number,
  { manager = app.db.manager, ...options }: { extendedCalls: boolean; shopId?: number; manager?: EntityManager },
): Promise<{ account: PrintAccount; service: PrintService }> {
  const account = await manager.findOneBy(PrintAccounts, { id: accountId });
  if (!account) throw new NotFoundError(`There is no print account ${accountId}: set the shop's printKey again.`);
  return { account, service: app.print.withKey(decryptKey(app, account), options) };
}

/** How a shop's orders reach the print service. */
interface PortChoice {
  printInterface: PrintInterface;
  legacyHost: 'live' | 'test';
  extendedCalls: boolean;
  /** The calling shop, which takes turns with the account's other shops. */
  shopId?: number;
}

/**
 * Returns a print account and the port for its orders through one print interface. `outageSeconds` is the function of the same name in
 * `PrintService`. Throws the same errors as `openPrintAccount`.
 */
export async function openPrintPort(
  app: App,
  accountId: number,
  choice: PortChoice,
  manager: EntityManager = app.db.manager,
): Promise<{ account: PrintAccount; port: PrintPort; outageSeconds: () => number | null }> {
  const { extendedCalls, shopId } = choice;
  const options = { extendedCalls, manager, ...(shopId === undefined ? {} : { shopId }) };
  const { account, service } = await openPrintAccount(app, accountId, options);
  return { account, port: toPort(service, choice), outageSeconds: () => service.outageSeconds() };
}

/** Returns the port for a key that need not belong to an account yet. */
export function openPortWithKey(app: App, key: string, choice: PortChoice): PrintPort {
  return toPort(app.print.withKey(key, choice), choice);
}

/** Returns a shop's API key, or null. Throws PlatenError `cannot_decrypt`. */
export async function readPrintKey(app: App, shop: Pick<Shop, 'printAccountId'>): Promise<string | null> {
  if (shop.printAccountId === null) return null;
  const account = await app.db.getRepository(PrintAccounts).findOneByOrFail({ id: shop.printAccountId });
  return decryptKey(app, account);
}

/**
 * Marks the account's key as refused after a 401 or 403 from the service. None of the account's orders are sent until the key works again.
 * `message` is the service's own message.
 */
export async function markPrintAccountRefused(app: App, accountId: number, message: string | null): Promise<void> {
  const refused = {
    state: 'refused' as const,
    refusedAt: app.clock.now(),
    refusedMessage: truncateText(message, MAX_MESSAGE),
  };
  await app.db.getRepository(PrintAccounts).update({ id: accountId, state: 'working' }, refused);
}

/**
 * Marks the account's key as accepted by the service. Orders of its shops that were waiting for the key resume. Safe to call after every
 * response.
 */
export async function markPrintAccountWorking(app: App, accountId: number): Promise<void> {
  await app.db.transaction(async (manager) => {
    const working = { state: 'working' as const, refusedAt: null, refusedMessage: null };
    const changed = await manager.getRepository(PrintAccounts).update({ id: accountId, state: 'refused' }, working);
    if (changed.affected === 0) return;
    const shops = await manager.getRepository(Shops).findBy({ printAccountId: accountId, state: 'installed' });
    for (const shop of shops) {
      await enqueueResumeShop(manager, shop.id);
    }
  });
}

/** A request that the service refused or accepted. */
interface PaidRequest {
  /** Whether the service charges for the request. It does not charge for a draft. */
  isCharged: boolean;
}

/**
 * Records that the service refuses the account's payments. From then on, print orders that would be charged wait. The refusal is logged
 * once, for the operator.
 */
export async function markPaymentRefused(
  app: App,
  manager: EntityManager,
  accountId: number,
  { isCharged }: PaidRequest,
): Promise<void> {
  const now = app.clock.now();
  const accepted = { id: accountId, paymentRefusedAt: IsNull() };
  const { affected } = await manager.update(PrintAccounts, accepted, { paymentRefusedAt: now, paymentProbedAt: now });
  if (isCharged) await manager.update(PrintAccounts, { id: accountId, chargeRefused: false }, { chargeRefused: true });
  if (affected)
    app.log.error({ accountId }, "the print service refuses a print account's payments: orders are waiting");
}

/**
 * Records that the service accepted a payment from the account. The waiting orders of its shops resume. An accepted request without a charge
 * proves this only if no request with a charge was refused.
 */
export async function markPaymentAccepted(
  app: App,
  manager: EntityManager,
  accountId: number,
  { isCharged }: PaidRequest,
): Promise<void> {
  const refused = { id: accountId, paymentRefusedAt: Not(IsNull()), ...(isCharged ? {} : { chargeRefused: false }) };
  const accepted = { paymentRefusedAt: null, paymentProbedAt: null, chargeRefused: false };
  const { affected } = await manager.update(PrintAccounts, refused, accepted);
  if (!affected) return;
  app.log.info({ accountId }, "the print service accepts a print account's payments again");
  const shops = await app.db.manager.findBy(Shops, { printAccountId: accountId, state: 'installed' });
  for (const { id } of shops) await enqueueResumeShop(manager, id);
}

/**
 * Claims the next probe if it is due. Returns whether the caller may send its order as the probe, which shows whether payments are still
 * refused.
 */
export async function claimPaymentProbe(app: App, accountId: number): Promise<boolean> {
  const [, claimed]: [unknown, number] = await app.db.query(
    `update print_accounts set payment_probed_at = $2
     where id = $1 and payment_refused_at is not null
       and payment_probed_at + greatest($3 * interval '1 second', least($4 * interval '1 second', payment_probed_at - payment_refused_at)) <= $2`,
    [accountId, app.clock.now(), MIN_PROBE_SECONDS, MAX_PROBE_SECONDS],
  );
  return claimed > 0;
}

/** Counts the print accounts with refused payments. */
export function countPaymentsRefused(app: App): Promise<number> {
  return app.db.getRepository(PrintAccounts).countBy({ paymentRefusedAt: Not(IsNull()) });
}

function toPort(service: PrintService, { printInterface, legacyHost }: PortChoice): PrintPort {
  return openPort(service, { printInterface, legacyHost: legacyHost === 'test' ? 'legacyTest' : 'legacy' });
}

/** Returns the fingerprint of an API key made with the current encryption key, then those made with the old keys. */
export function toFingerprints(app: Pick<App, 'config'>, key: string): [string, ...string[]] {
  const [current, ...old] = app.config.encryptionKeys.map((encryptionKey) => {
    const purpose = Buffer.from(hkdfSync('sha256', encryptionKey.key, '', 'print_accounts.key_fingerprint', 32));
    return createHmac('sha256', purpose).update(key).digest('hex');
  });
  return [current ?? '', ...old];
}

function decryptKey(app: App, account: PrintAccount): string {
  return decryptColumn(
    app.config.encryptionKeys,
    encryptedColumns.printKey.toPlace(account.keyFingerprint),
    account.keyEncrypted,
  );
}

function encryptKey(app: App, fingerprint: string, key: string): string {
  return encryptColumn(app.config.encryptionKeys, encryptedColumns.printKey.toPlace(fingerprint), key);
}
