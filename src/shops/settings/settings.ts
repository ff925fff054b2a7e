import type { EntityManager } from 'typeorm';
import type { App } from '../../app.ts';
import { decryptColumn, encryptColumn } from '../../database/encrypt-column.ts';
import { encryptedColumns } from '../../database/encrypted-columns.ts';
import { Shops } from '../../database/entities/shops.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { InvalidInputError } from '../../errors.ts';
import { canConfirmDrafts } from '../../print/port.ts';
import { currencySchema } from '../../print/current/request-objects.ts';
import { findShop } from '../find-shop.ts';
import { findOrCreatePrintAccount, markPrintAccountWorking, readPrintKey } from '../print-account/print-account.ts';
import { emailSchema, fillSettings, parseSettingsChange } from './settings-schema.ts';
import type { SettingName, SettingsChange } from './settings-schema.ts';
import { requireScopes } from '../tokens/scopes.ts';
import {
  enqueueCatchUpLinkMetafields,
  enqueueSyncAllVariants,
  enqueueSyncCarrierService,
  enqueueResumeShop,
  enqueueWriteConnections,
} from '../enqueue-shop-jobs.ts';

/** A shop's effective settings, including defaults. Planning uses them as input. */
export type Settings = Omit<ReturnType<typeof fillSettings>, 'currency'> & {
  /** A currency that the service supports. */
  currency: string;
};

/** The last four characters of a secret. Empty if the secret is so short that four characters would reveal too much. */
interface ShownSecret {
  last4: string;
}

/** The chosen settings, without secrets. A setting is null if the shop has not chosen a value. */
export type ShownSettings = ReturnType<typeof fillSettings> & {
  takesOrdersFrom: string;
  printKey: ShownSecret | null;
  printWebhookHeader: { name: string; value: ShownSecret } | null;
  alertSlackUrl: ShownSecret | null;
};

const FALLBACK_CURRENCY = 'USD';
/** Settings that never release a waiting order when they change. */
const NON_RELEASING_SETTINGS: readonly SettingName[] = [
  'gatherSeconds',
  'notifyCustomer',
  'sendsCustomerId',
  'retentionDays',
  'printWebhookHeader',
  'packingSlip',
  'liveRates',
  'rateMargin',
  'rateRounding',
  'ratesFreeFrom',
  'rateNames',
  'ownStockRates',
  'fallbackRates',
  'printStoreId',
  'writesConnectionStatus',
  'printLinkMetafields',
  'printsWaitingOrders',
  'stockAtLocation',
  'hideOutOfStock',
  'stockRegions',
  'alertEmails',
  'alertSlackUrl',
  'alertLanguage',
  'weeklyDigest',
];
/** These settings determine which variants Platen changes in the store. When one of them changes, the shop's variants are rechecked. */
const VARIANT_SETTINGS: readonly SettingName[] = ['stockAtLocation', 'hideOutOfStock', 'stockRegions', 'extendedCalls'];

/**
 * Returns the effective settings. Without a fallback email, the shop's contact email applies (null if it is unusable). Without a
 * currency, the shop's own currency applies if the service supports it, and otherwise USD. If drafts cannot be confirmed, orders are
 * created directly (docs/rules/created-once.md#method-and-account).
 */
export function readSettings(shop: Shop): Settings {
  const settings = fillSettings(shop.settings);
  const contactEmail = emailSchema.safeParse(shop.contactEmail).data ?? null;
  const ownCurrency = currencySchema.safeParse(shop.currency).data ?? FALLBACK_CURRENCY;
  return {
    ...settings,
    submit: canConfirmDrafts(settings.printInterface, settings.extendedCalls) ? settings.submit : 'direct',
    fallbackEmail: settings.fallbackEmail ?? contactEmail,
    currency: settings.currency ?? ownCurrency,
  };
}

/** Returns the settings that the merchant may see. */
export async function showSettings(app: App, shop: Pick<Shop, 'id'>): Promise<ShownSettings> {
  const current = await app.db.getRepository(Shops).findOneByOrFail({ id: shop.id });
  const printKey = await readPrintKey(app, current);
  const header = readPrintWebhookHeader(app, current);
  const slackUrl = readAlertSlackUrl(app, current);
  return {
    ...fillSettings(current.settings),
    submit: readSettings(current).submit,
    takesOrdersFrom: current.takesOrdersFrom.toISOString(),
    printKey: printKey === null ? null : showSecret(printKey),
    printWebhookHeader: header && { name: header.name, value: showSecret(header.value) },
    alertSlackUrl: slackUrl === null ? null : showSecret(slackUrl),
  };
}

/**
 * Changes the given settings and leaves the others unchanged. Orders that were waiting for one of the changed settings are planned again.
 * Throws an InvalidInputError that names the field and its allowed values, and ScopeNeededError if the store must grant a permission
 * first.
 */
export async function changeSettings(app: App, shop: Pick<Shop, 'id'>, input: unknown): Promise<ShownSettings> {
  const change = parseSettingsChange(input);
  await requireScopes(app, await findShop(app, shop.id), change);
  const account = change.printKey ? await findOrCreatePrintAccount(app, change.printKey) : null;
  await app.db.transaction(async (manager) => {
    const current = await lockShop(manager, shop.id);
    const changed = applyChange(app, current, change, account?.id ?? null);
    refuseContradiction(app, change, changed);
    await manager.getRepository(Shops).save({ ...current, ...changed });
    if (change.alertEmails ?? change.alertSlackUrl !== undefined) await renewAlertChannels(manager, shop.id, changed);
    if (change.liveRates !== undefined) await enqueueSyncCarrierService(manager, shop.id);
    if (change.printLinkMetafields !== undefined) await enqueueCatchUpLinkMetafields(manager, shop.id);
    if (change.writesConnectionStatus !== undefined) await enqueueWriteConnections(manager, shop.id);
    const names = Object.keys(change) as SettingName[];
    if (names.some((name) => VARIANT_SETTINGS.includes(name))) await enqueueSyncAllVariants(app, manager, shop.id);
    if (names.some((name) => !NON_RELEASING_SETTINGS.includes(name))) {
      await enqueueResumeShop(manager, shop.id);
    }
  });
  // A merchant who re-enters a key considers it valid, so the account no longer counts as refused. The next request shows whether the key
  // works.
  if (account) await markPrintAccountWorking(app, account.id);
  return showSettings(app, shop);
}

/**
 * Deletes the record of what was reported to removed recipients, so that later recipients start from the beginning. Messages that could not
 * be sent to the previous recipients are sent to the new ones without delay.
 */
async function renewAlertChannels(
  manager: EntityManager,
  shopId: number,
  { settings, alertSlackUrlEncrypted }: ChangedColumns,
): Promise<void> {
  const unused = [
    ...(fillSettings(settings).alertEmails.length === 0 ? ['email'] : []),
    ...(alertSlackUrlEncrypted === null ? ['slack'] : []),
  ];
  await manager.query('delete from alert_channels where shop_id = $1 and channel = any($2)', [shopId, unused]);
  await manager.query(
    'update alert_channels set problem = null, failed_at = null, tries = 0, next_try_at = null where shop_id = $1 and tries > 0',
    [shopId],
  );
}

/** Returns the header that events sent to this shop's address must contain, or null. Throws PlatenError `cannot_decrypt`. */
export function readPrintWebhookHeader(
  app: App,
  shop: Pick<Shop, 'id' | 'printWebhookHeaderName' | 'printWebhookHeaderValueEncrypted'>,
): { name: string; value: string } | null {
  const { printWebhookHeaderName: name, printWebhookHeaderValueEncrypted: value } = shop;
  if (name === null || value === null) return null;
  return {
    name,
    value: decryptColumn(app.config.encryptionKeys, encryptedColumns.webhookHeader.toPlace(shop.id), value),
  };
}

/** Returns the address of the chat that receives the shop's alerts, or null. Throws PlatenError `cannot_decrypt`. */
export function readAlertSlackUrl(app: App, shop: Pick<Shop, 'id' | 'alertSlackUrlEncrypted'>): string | null {
  const { alertSlackUrlEncrypted: value } = shop;
  return value === null
    ? null
    : decryptColumn(app.config.encryptionKeys, encryptedColumns.alertSlackUrl.toPlace(shop.id), value);
}

/**
 * Maximum number of former values of the setting `printFileProperty` to keep. They apply to waiting orders that were placed before the
 * change.
 */
const MAX_FORMER_PROPERTIES = 10;

function toFormerProperties(app: App, shop: Shop, next: string | null | undefined): Shop['formerPrintFileProperties'] {
  const { printFileProperty: name } = fillSettings(shop.settings);
  if (next === undefined || name === null || name === next) return shop.formerPrintFileProperties;
  return [{ name, until: app.clock.now().toISOString() }, ...shop.formerPrintFileProperties].slice(
    0,
    MAX_FORMER_PROPERTIES,
  );
}

type ChangedColumns = Pick<
  Shop,
  | 'settings'
  | 'formerPrintFileProperties'
  | 'takesOrdersFrom'
  | 'ordersReadUntil'
  | 'linkMetafieldsReadTo'
  | 'printAccountId'
  | 'printWebhookHeaderName'
  | 'printWebhookHeaderValueEncrypted'
  | 'alertSlackUrlEncrypted'
>;

function applyChange(app: App, shop: Shop, change: SettingsChange, accountId: number | null): ChangedColumns {
  const { printKey, printWebhookHeader, alertSlackUrl, takesOrdersFrom, ...kept } = change;
  const columns: ChangedColumns = {
    settings: { ...shop.settings, ...kept },
    formerPrintFileProperties: toFormerProperties(app, shop, kept.printFileProperty),
    takesOrdersFrom: takesOrdersFrom ?? shop.takesOrdersFrom,
    // Orders placed between the new and the old start date have not been read, so the next poll starts from the beginning.
    ordersReadUntil: takesOrdersFrom && takesOrdersFrom < shop.takesOrdersFrom ? null : shop.ordersReadUntil,
    // A different namespace must be read from the beginning.
    linkMetafieldsReadTo: kept.printLinkMetafields === undefined ? shop.linkMetafieldsReadTo : null,
    printAccountId: printKey === undefined ? shop.printAccountId : accountId,
    printWebhookHeaderName: shop.printWebhookHeaderName,
    printWebhookHeaderValueEncrypted: shop.printWebhookHeaderValueEncrypted,
    alertSlackUrlEncrypted:
      alertSlackUrl === undefined ? shop.alertSlackUrlEncrypted : encryptSlackUrl(app, shop.id, alertSlackUrl),
  };
  if (printWebhookHeader === undefined) return columns;
  const value = printWebhookHeader?.value;
  return {
    ...columns,
    printWebhookHeaderName: printWebhookHeader?.name ?? null,
    printWebhookHeaderValueEncrypted:
      value === undefined
        ? null
        : encryptColumn(app.config.encryptionKeys, encryptedColumns.webhookHeader.toPlace(shop.id), value),
  };
}

/** The settings that determine whether drafts may be left unconfirmed. */
const DRAFT_SETTINGS: readonly SettingName[] = ['leavesDrafts', 'submit', 'extendedCalls', 'printInterface'];

/**
 * Rejects contradictory settings: `submit=draft` without the requests that confirm drafts, `leavesDrafts` without confirmable drafts, and a
 * test host or a mail server that the installation does not have.
 */
function refuseContradiction(app: App, change: SettingsChange, { settings }: ChangedColumns): void {
  const { printInterface, legacyHost, extendedCalls, submit, leavesDrafts } = fillSettings(settings);
  if (change.submit === 'draft' && !canConfirmDrafts(printInterface, extendedCalls)) {
    const remedy = extendedCalls
      ? 'choose the current interface of the print service'
      : 'switch on “My account can read, confirm and cancel orders”';
    throw new InvalidInputError('submit', `submit: Platen must be able to confirm drafts. Also ${remedy}.`, {
      change: `submit=draft ${extendedCalls ? 'printInterface=current' : 'extendedCalls=on'}`,
    });
  }
  const changed = DRAFT_SETTINGS.find((name) => change[name] !== undefined);
  if (changed && leavesDrafts && (submit !== 'draft' || !canConfirmDrafts(printInterface, extendedCalls))) {
    const remedy =
      'drafts can be left at the print service only if print orders are created as drafts, your account can read, confirm and cancel orders, and you use the current interface of the print service';
    throw new InvalidInputError(changed, `${changed}: ${remedy}. Otherwise, do not leave print orders as drafts.`, {
      change: 'submit=draft extendedCalls=on printInterface=current',
    });
  }
  if (change.legacyHost === 'test' && legacyHost === 'test' && app.config.print.urls.legacyTest === null) {
    const message =
      "legacyHost: this installation has no test host. Platen's operator must set PRINT_LEGACY_TEST_URL first.";
    throw new InvalidInputError('legacyHost', message);
  }
  if (change.alertEmails && change.alertEmails.length > 0 && app.config.mail === null) {
    const message = "alertEmails: this installation cannot send emails. Platen's operator must set SMTP_URL first.";
    throw new InvalidInputError('alertEmails', message);
  }
}

/** Does not lock with `for update`, so that other transactions can still insert rows that refer to the shop. */
function lockShop(manager: EntityManager, shopId: number): Promise<Shop> {
  return manager.getRepository(Shops).findOneOrFail({ where: { id: shopId }, lock: { mode: 'for_no_key_update' } });
}

function showSecret(secret: string): ShownSecret {
  return { last4: secret.length < 8 ? '' : secret.slice(-4) };
}

function encryptSlackUrl(app: App, shopId: number, url: string | null): string | null {
  return url === null
    ? null
    : encryptColumn(app.config.encryptionKeys, encryptedColumns.alertSlackUrl.toPlace(shopId), url);
}
