import { EntitySchema } from 'typeorm';
import {
  smallId,
  integer,
  integerOrNull,
  text,
  textOrNull,
  moment,
  momentOrNull,
  madeNow,
  changedNow,
} from './columns.ts';

/** One installation of Platen: the basis of its references, and the quiet time after a restore. */
export interface Installation {
  id: number;
  code: string;
  referenceKeyEncrypted: string;
  quietUntil: Date | null;
  /** The mark of this database (`platen_database_mark()`): if it differs, the database was restored. Null if not recorded yet. */
  databaseMark: string | null;
  createdAt: Date;
}

/** An account at the print service: one per key, shared by the shops that have the same key. */
export interface PrintAccount {
  id: number;
  keyFingerprint: string;
  keyEncrypted: string;
  /** `refused`: the service answered 401 or 403; submits pause until it accepts the key. */
  state: 'working' | 'refused';
  refusedAt: Date | null;
  refusedMessage: string | null;
  /** When Order Get last answered 200 with this key: an account that has the call cannot lack it. */
  orderGetSeenAt: Date | null;
  /** Since when the service refuses the account's payment (financialStatus `refused`): submits pause. Null if it does not. */
  paymentRefusedAt: Date | null;
  /** When an order was last sent to check whether payments are still refused. */
  paymentProbedAt: Date | null;
  createdAt: Date;
}

export interface Shop {
  id: number;
  domain: string;
  /** `leaving`: Platen undoes its changes in the store and makes no new ones. */
  state: 'installed' | 'uninstalled' | 'needs_sign_in' | 'leaving';
  name: string | null;
  currency: string;
  contactEmail: string | null;
  fulfillmentServiceId: string | null;
  locationId: string | null;
  takesOrdersFrom: Date;
  /** As in `shops/settings/settings.ts`, without secrets. */
  settings: Record<string, unknown>;
  /** Earlier values of the setting `printFileProperty`, latest first, each with the time until which it applied (ISO 8601). */
  formerPrintFileProperties: { name: string; until: string }[];
  printAccountId: number | null;
  printWebhookHeaderName: string | null;
  printWebhookHeaderValueEncrypted: string | null;
  ordersReadUntil: Date | null;
  /** How far the print links in metafields of its variants are read in the current round, as the store's cursor; null if to the end. */
  linkMetafieldsReadTo: string | null;
  /** The product uid up to which its stock was read when the last reading had to stop; null if to the end. */
  stockReadTo: string | null;
  otherAppCheckedAt: Date | null;
  /** Since when the store refuses this server, an error in our own configuration; null if it does not. */
  adminRefusedAt: Date | null;
  installedAt: Date;
  uninstalledAt: Date | null;
  /** The store's id of this install, which changes with each reinstall; null if not read yet. */
  appInstallationId: string | null;
  /** The latest sign-in of the shop; the renewal of a token does not count. */
  signedInAt: Date;
  /** Since when the shop is left; null if it is not, or was resumed. */
  leftAt: Date | null;
  /** Since when the store accepts none of its tokens; null if it does, or if the shop removed Platen. */
  signedOutAt: Date | null;
  /** IANA name, such as Europe/Paris; null if not read yet. */
  timeZone: string | null;
  /** Our carrier service in the store, which asks for shipping rates. */
  carrierServiceId: string | null;
  /** SHA-256 of the token in the carrier service's address. */
  ratesTokenHash: string | null;
  /** Why no shipping rates can be offered, a code of `rates/rates-problems.ts`; null if they can, or are switched off. */
  ratesProblem: string | null;
}

/** The offline token of a shop; both tokens are encrypted. */
export interface ShopToken {
  shopId: number;
  accessTokenEncrypted: string;
  expiresAt: Date | null;
  refreshTokenEncrypted: string | null;
  refreshTokenExpiresAt: Date | null;
  scopes: string;
  updatedAt: Date;
}

/** An address for the print service's events; only the SHA-256 of its token is stored. */
export interface PrintWebhookToken {
  tokenHash: string;
  shopId: number;
  createdAt: Date;
  expiresAt: Date | null;
}

/** Another app's connection in the print account that prints this shop's orders. */
export interface OtherAppStore {
  shopId: number;
  storeId: string;
  firstSeenAt: Date;
  /** When the merchant allowed both to print. */
  allowedAt: Date | null;
}

export const Installations = new EntitySchema<Installation>({
  name: 'Installation',
  tableName: 'installation',
  columns: {
    id: { type: 'integer', primary: true },
    code: text,
    referenceKeyEncrypted: text,
    quietUntil: momentOrNull,
    databaseMark: textOrNull,
    createdAt: madeNow,
  },
});

export const PrintAccounts = new EntitySchema<PrintAccount>({
  name: 'PrintAccount',
  tableName: 'print_accounts',
  columns: {
    id: smallId,
    keyFingerprint: text,
    keyEncrypted: text,
    state: { type: 'text', default: 'working' },
    refusedAt: momentOrNull,
    refusedMessage: textOrNull,
    orderGetSeenAt: momentOrNull,
    paymentRefusedAt: momentOrNull,
    paymentProbedAt: momentOrNull,
    createdAt: madeNow,
  },
});

export const Shops = new EntitySchema<Shop>({
  name: 'Shop',
  tableName: 'shops',
  columns: {
    id: smallId,
    domain: text,
    state: { type: 'text', default: 'installed' },
    name: textOrNull,
    currency: text,
    contactEmail: textOrNull,
    fulfillmentServiceId: textOrNull,
    locationId: textOrNull,
    takesOrdersFrom: moment,
    settings: { type: 'jsonb', default: {} },
    formerPrintFileProperties: { type: 'jsonb', default: [] },
    printAccountId: integerOrNull,
    printWebhookHeaderName: textOrNull,
    printWebhookHeaderValueEncrypted: textOrNull,
    ordersReadUntil: momentOrNull,
    linkMetafieldsReadTo: textOrNull,
    stockReadTo: textOrNull,
    otherAppCheckedAt: momentOrNull,
    adminRefusedAt: momentOrNull,
    installedAt: madeNow,
    uninstalledAt: momentOrNull,
    appInstallationId: textOrNull,
    signedInAt: madeNow,
    leftAt: momentOrNull,
    signedOutAt: momentOrNull,
    timeZone: textOrNull,
    carrierServiceId: textOrNull,
    ratesTokenHash: textOrNull,
    ratesProblem: textOrNull,
  },
});

export const ShopTokens = new EntitySchema<ShopToken>({
  name: 'ShopToken',
  tableName: 'shop_tokens',
  columns: {
    shopId: { type: 'integer', primary: true },
    accessTokenEncrypted: text,
    expiresAt: momentOrNull,
    refreshTokenEncrypted: textOrNull,
    refreshTokenExpiresAt: momentOrNull,
    scopes: text,
    updatedAt: changedNow,
  },
});

export const PrintWebhookTokens = new EntitySchema<PrintWebhookToken>({
  name: 'PrintWebhookToken',
  tableName: 'print_webhook_tokens',
  columns: {
    tokenHash: { type: 'text', primary: true },
    shopId: integer,
    createdAt: madeNow,
    expiresAt: momentOrNull,
  },
});

export const OtherAppStores = new EntitySchema<OtherAppStore>({
  name: 'OtherAppStore',
  tableName: 'other_app_stores',
  columns: {
    shopId: { type: 'integer', primary: true },
    storeId: { type: 'text', primary: true },
    firstSeenAt: madeNow,
    allowedAt: momentOrNull,
  },
});
