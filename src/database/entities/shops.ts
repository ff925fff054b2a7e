import { EntitySchema } from 'typeorm';
import {
  smallId,
  integer,
  integerOrNull,
  text,
  textOrNull,
  timestamp,
  timestampOrNull,
  insertTimestamp,
  updateTimestamp,
} from './columns.ts';

/** The single row for this installation of Platen. References and the quiet time after a restore depend on it. */
export interface Installation {
  id: number;
  code: string;
  referenceKeyEncrypted: string;
  quietUntil: Date | null;
  /**
   * The last recorded result of `platen_database_mark()`. If the function now returns a different mark, the database was restored from a
   * backup. Null if no mark has been recorded yet.
   */
  databaseMark: string | null;
  /** The key with which this database writes its fence to the stores. Null until it is needed, and again after a restore. */
  fenceKey: string | null;
  /** Whether an operator has confirmed that no other database has been in use since the last restore (`platen restored --end`). */
  isAlone: boolean;
  createdAt: Date;
}

/** An account at the print service, one per key. Shops with the same key share the account. */
export interface PrintAccount {
  id: number;
  keyFingerprint: string;
  keyEncrypted: string;
  /** `refused`: the service responded with 401 or 403. No orders are sent until the service accepts the key. */
  state: 'working' | 'refused';
  refusedAt: Date | null;
  refusedMessage: string | null;
  /** When an extended call first succeeded with this key. Null if none has succeeded yet. */
  orderGetSeenAt: Date | null;
  /**
   * When the service began to refuse the account's payments (financialStatus `refused`). Null if the service accepts payments. While
   * payments are refused, only an occasional order is sent as a probe.
   */
  paymentRefusedAt: Date | null;
  /** Whether a refused request would have been charged. A draft that the service accepts then proves nothing, because a draft costs nothing. */
  chargeRefused: boolean;
  /** When an order was last sent as a probe, to check whether the service still refuses payments. */
  paymentProbedAt: Date | null;
  createdAt: Date;
}

export interface Shop {
  id: number;
  domain: string;
  /** `leaving`: Platen is undoing its changes in the store and makes no new changes. */
  state: 'installed' | 'uninstalled' | 'needs_sign_in' | 'leaving';
  name: string | null;
  currency: string;
  contactEmail: string | null;
  fulfillmentServiceId: string | null;
  locationId: string | null;
  /** Locations that were Platen's until someone deleted its fulfillment service in the store, latest first. */
  formerLocationIds: string[];
  takesOrdersFrom: Date;
  /** The settings as defined in `shops/settings/settings.ts`, without secrets. */
  settings: Record<string, unknown>;
  /** Earlier values of the setting `printFileProperty`, latest first, each with the time until which the value applied (ISO 8601). */
  formerPrintFileProperties: { name: string; until: string }[];
  printAccountId: number | null;
  printWebhookHeaderName: string | null;
  printWebhookHeaderValueEncrypted: string | null;
  /** The address of the chat's incoming webhook to which the shop's alerts are sent. */
  alertSlackUrlEncrypted: string | null;
  ordersReadUntil: Date | null;
  /** The store's cursor up to which the current round has read print links from variant metafields. Null if the round reached the end. */
  linkMetafieldsReadTo: string | null;
  /** The product UID up to which stock was read when the last reading had to stop. Null if the reading reached the end. */
  stockReadTo: string | null;
  otherAppCheckedAt: Date | null;
  /** When the store began to reject this server because of an error in Platen's own configuration. Null if the store accepts the server. */
  adminRefusedAt: Date | null;
  /** When the store began to refuse to show whether buyers have requested to remove items. Null if the store shows it. */
  editRequestsHiddenAt: Date | null;
  /** The key of this database's fence in the store. Null if the database has yet to write its fence (`shops/fence.ts`). */
  fenceKey: string | null;
  /** The highest epoch of the store's fence that this database knows. */
  fenceEpoch: number;
  /** When this database found that another one has taken over the store. Until an operator takes the store back, nothing is sent. */
  fencedOffAt: Date | null;
  /** Nothing is sent for the shop before this time, because this database took over the store from another one. */
  quietUntil: Date | null;
  installedAt: Date;
  uninstalledAt: Date | null;
  /** The store's ID for this installation, which changes with each reinstall. Null if the ID has not been read yet. */
  appInstallationId: string | null;
  /** The shop's latest sign-in. A token renewal does not count. */
  signedInAt: Date;
  /** When Platen left the shop. Null if Platen has not left, or if the shop has started using Platen again. */
  leftAt: Date | null;
  /** When the store began to reject all of the shop's tokens. Null if the store accepts a token, or if the shop has removed Platen. */
  signedOutAt: Date | null;
  /** IANA name, such as Europe/Paris. Null if the time zone has not been read yet. */
  timeZone: string | null;
  /** The ID of Platen's carrier service in the store, through which the store requests shipping rates. */
  carrierServiceId: string | null;
  /** SHA-256 of the token in the carrier service's address. */
  ratesTokenHash: string | null;
  /** Why no shipping rates can be offered: a code from `rates/rates-problems.ts`. Null if rates can be offered or are switched off. */
  ratesProblem: string | null;
  /** When someone in the shop dismissed the setup guide. Null if the guide is shown. */
  guideDismissedAt: Date | null;
  /**
   * The Platen triggers that start workflows of the shop in Shopify Flow, by Shopify's ID of the trigger. `at` is Shopify's time of the
   * last message. `since` is when the shop began to use the trigger, or null if no enabled workflow uses it.
   */
  flowTriggers: Record<string, { at: string; since: string | null }>;
}

/** A shop's offline access token and refresh token, both encrypted. */
export interface ShopToken {
  shopId: number;
  accessTokenEncrypted: string;
  expiresAt: Date | null;
  refreshTokenEncrypted: string | null;
  refreshTokenExpiresAt: Date | null;
  scopes: string;
  updatedAt: Date;
}

/** An address for the print service's events. Only the SHA-256 of its token is stored. */
export interface PrintWebhookToken {
  tokenHash: string;
  shopId: number;
  createdAt: Date;
  expiresAt: Date | null;
}

/** A store at the print service through which another app prints this shop's orders with the same print account. */
export interface OtherAppStore {
  shopId: number;
  storeId: string;
  firstSeenAt: Date;
  /** When the merchant allowed both apps to print. */
  allowedAt: Date | null;
}

export const Installations = new EntitySchema<Installation>({
  name: 'Installation',
  tableName: 'installation',
  columns: {
    id: { type: 'integer', primary: true },
    code: text,
    referenceKeyEncrypted: text,
    quietUntil: timestampOrNull,
    databaseMark: textOrNull,
    fenceKey: textOrNull,
    isAlone: { type: 'boolean', default: false },
    createdAt: insertTimestamp,
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
    refusedAt: timestampOrNull,
    refusedMessage: textOrNull,
    orderGetSeenAt: timestampOrNull,
    paymentRefusedAt: timestampOrNull,
    paymentProbedAt: timestampOrNull,
    chargeRefused: { type: 'boolean', default: false },
    createdAt: insertTimestamp,
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
    formerLocationIds: { type: 'jsonb', default: [] },
    takesOrdersFrom: timestamp,
    settings: { type: 'jsonb', default: {} },
    formerPrintFileProperties: { type: 'jsonb', default: [] },
    printAccountId: integerOrNull,
    printWebhookHeaderName: textOrNull,
    printWebhookHeaderValueEncrypted: textOrNull,
    alertSlackUrlEncrypted: textOrNull,
    ordersReadUntil: timestampOrNull,
    linkMetafieldsReadTo: textOrNull,
    stockReadTo: textOrNull,
    otherAppCheckedAt: timestampOrNull,
    adminRefusedAt: timestampOrNull,
    editRequestsHiddenAt: timestampOrNull,
    fenceKey: textOrNull,
    fenceEpoch: { type: 'integer', default: 0 },
    fencedOffAt: timestampOrNull,
    quietUntil: timestampOrNull,
    installedAt: insertTimestamp,
    uninstalledAt: timestampOrNull,
    appInstallationId: textOrNull,
    signedInAt: insertTimestamp,
    leftAt: timestampOrNull,
    signedOutAt: timestampOrNull,
    timeZone: textOrNull,
    carrierServiceId: textOrNull,
    ratesTokenHash: textOrNull,
    ratesProblem: textOrNull,
    guideDismissedAt: timestampOrNull,
    flowTriggers: { type: 'jsonb', default: {} },
  },
});

export const ShopTokens = new EntitySchema<ShopToken>({
  name: 'ShopToken',
  tableName: 'shop_tokens',
  columns: {
    shopId: { type: 'integer', primary: true },
    accessTokenEncrypted: text,
    expiresAt: timestampOrNull,
    refreshTokenEncrypted: textOrNull,
    refreshTokenExpiresAt: timestampOrNull,
    scopes: text,
    updatedAt: updateTimestamp,
  },
});

export const PrintWebhookTokens = new EntitySchema<PrintWebhookToken>({
  name: 'PrintWebhookToken',
  tableName: 'print_webhook_tokens',
  columns: {
    tokenHash: { type: 'text', primary: true },
    shopId: integer,
    createdAt: insertTimestamp,
    expiresAt: timestampOrNull,
  },
});

export const OtherAppStores = new EntitySchema<OtherAppStore>({
  name: 'OtherAppStore',
  tableName: 'other_app_stores',
  columns: {
    shopId: { type: 'integer', primary: true },
    storeId: { type: 'text', primary: true },
    firstSeenAt: insertTimestamp,
    allowedAt: timestampOrNull,
  },
});
