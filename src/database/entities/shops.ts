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

/** One installation of Platen: what its references are made with, and the quiet time after a restore. */
export interface Installation {
  id: number;
  code: string;
  referenceKeyEncrypted: string;
  quietUntil: Date | null;
  /** Which database this is (`platen_database_mark()`); another one than this: it was restored. null: not noted yet. */
  databaseMark: string | null;
  createdAt: Date;
}

/** An account at the print service: one per key, shared by the shops that have the same key. */
export interface PrintAccount {
  id: number;
  keyFingerprint: string;
  keyEncrypted: string;
  /** `refused`: the service answered 401 or 403; submits pause until it answers otherwise. */
  state: 'working' | 'refused';
  refusedAt: Date | null;
  refusedMessage: string | null;
  /** When Order Get last answered 200 with this key: an account that has the call cannot lack it. */
  orderGetSeenAt: Date | null;
  /** Since when the service refuses the account's payment (financialStatus `refused`): submits pause; null: it does not. */
  paymentRefusedAt: Date | null;
  /** When an order was last sent to see whether it is still refused. */
  paymentProbedAt: Date | null;
  createdAt: Date;
}

export interface Shop {
  id: number;
  domain: string;
  /** `leaving`: what Platen has set in the store is taken back, and nothing is set any more. */
  state: 'installed' | 'uninstalled' | 'needs_sign_in' | 'leaving';
  name: string | null;
  currency: string;
  contactEmail: string | null;
  fulfillmentServiceId: string | null;
  locationId: string | null;
  takesOrdersFrom: Date;
  /** As in `shops/settings.ts`, without secrets. */
  settings: Record<string, unknown>;
  /** What the setting `printFileProperty` named before, the latest first, each until it was changed (ISO 8601). */
  formerPrintFileProperties: { name: string; until: string }[];
  printAccountId: number | null;
  printWebhookHeaderName: string | null;
  printWebhookHeaderValueEncrypted: string | null;
  ordersReadUntil: Date | null;
  /** How far the print links in metafields of its variants are read in the present round, as the store's cursor; null: to the end. */
  linkMetafieldsReadTo: string | null;
  /** Up to which product uid its stock was read when the last reading had to stop; null: to the end. */
  stockReadTo: string | null;
  otherAppCheckedAt: Date | null;
  /** Since when the store refuses this server, a fault of our own configuration; null: it does not. */
  adminRefusedAt: Date | null;
  installedAt: Date;
  uninstalledAt: Date | null;
  /** The store's id of this install, another one after each uninstall; null: not read yet. */
  appInstallationId: string | null;
  /** The latest sign-in of the shop; a token that is renewed is none. */
  signedInAt: Date;
  /** Since when it is left; null: it is not, or was taken up again. */
  leftAt: Date | null;
  /** Since when the store takes none of its tokens; null: it does, or the shop has removed Platen. */
  signedOutAt: Date | null;
  /** IANA name, such as Europe/Paris; null: not read yet. */
  timeZone: string | null;
  /** Our carrier service in the store, which asks for shipping rates. */
  carrierServiceId: string | null;
  /** SHA-256 of the token in the carrier service's address. */
  ratesTokenHash: string | null;
  /** Why no shipping rates can be offered, a code of `rates/rates-problems.ts`; null: they can, or are switched off. */
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

/** An address of the print service's events: the token is kept as its SHA-256 only. */
export interface PrintWebhookToken {
  tokenHash: string;
  shopId: number;
  createdAt: Date;
  expiresAt: Date | null;
}

/** A store of the print account, connected by another app, whose orders are this shop's. */
export interface OtherAppStore {
  shopId: number;
  storeId: string;
  firstSeenAt: Date;
  /** When the merchant said that both may print. */
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
