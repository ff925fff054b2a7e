import { IsNull, MoreThan } from 'typeorm';
import type { App } from '../app.ts';
import { PrivacyRequests } from '../database/entities/privacy-requests.ts';
import type { PrivacyRequest } from '../database/entities/privacy-requests.ts';
import { PrintAccounts, PrintWebhookTokens } from '../database/entities/shops.ts';
import type { PrintAccount, Shop } from '../database/entities/shops.ts';
import { requiredScopes } from '../shopify/auth/access-scopes.ts';
import { findShop } from './find-shop.ts';
import { readSilentSources, type SilentSources } from './record-polled-changes.ts';
import { readGrantedScopes, settingsWithoutScope } from './tokens/scopes.ts';
import type { SettingWithoutScope } from './tokens/scopes.ts';
import { fillSettings } from './settings/settings-schema.ts';

/** A shop's connections to the store and to the print service, and the problems with each. */
export interface Connections {
  store: {
    domain: string;
    installedAt: Date;
    /**
     * When Shopify began to reject this server, because of the server's address or the app's credentials. Null if Shopify accepts the
     * server.
     */
    refusedAt: Date | null;
    /** When another database of this Platen took over the store. Null if this database acts for the store. */
    fencedOffAt: Date | null;
    /** When the store began to refuse to show whether buyers have requested to remove items. Null if the store shows it. */
    editRequestsHiddenAt: Date | null;
    missingScopes: string[];
  };
  /** Null if the shop has no key. `message` is the service's own message. */
  printAccount:
    | (Pick<PrintAccount, 'state' | 'refusedAt' | 'paymentRefusedAt'> & {
        message: string | null;
        /** Number of the shop's orders that are waiting until a payment is accepted. */
        waitingForPayment: number;
      })
    | null;
  /** When the current address for the print service's events was created, or null. */
  printAddressMadeAt: Date | null;
  /**
   * When the last delivery arrived from the store and from the print service, if polls have since found changes that no delivery reported.
   */
  silent: SilentSources;
  settingsWithoutScope: SettingWithoutScope[];
  /** The rates at checkout, if the shop uses them: a code from `rates/rates-problems.ts`, and whether the shop's own table has rates. */
  rates: { problem: string | null; isRegistered: boolean; hasFallback: boolean } | null;
  /** Customers' requests for their data whose export has not been downloaded yet, most urgent first. */
  dataRequests: Pick<PrivacyRequest, 'id' | 'receivedAt' | 'dueAt'>[];
  /** Requests to erase a customer whose orders the print service still stores. Shown until the request is due. */
  heldByPrintService: { id: string; orders: string[] }[];
}

const MAX_REQUESTS = 20;

/** Reads a shop's connections from the database, without any external request. */
export async function readConnections(app: App, { id: shopId }: Pick<Shop, 'id'>): Promise<Connections> {
  const shop = await findShop(app, shopId);
  const granted = await readGrantedScopes(app, shop);
  const address = await app.db.getRepository(PrintWebhookTokens).findOneBy({ shopId, expiresAt: IsNull() });
  const requests = app.db.getRepository(PrivacyRequests);
  const mostUrgent = { order: { dueAt: 'ASC', id: 'ASC' }, take: MAX_REQUESTS } as const;
  const dataRequests = await requests.find({
    where: { shopId, kind: 'data_request', doneAt: IsNull() },
    ...mostUrgent,
  });
  const erased = { shopId, kind: 'customer_redact', dueAt: MoreThan(app.clock.now()) } as const;
  const { domain, installedAt, adminRefusedAt: refusedAt, fencedOffAt, editRequestsHiddenAt } = shop;
  const missingScopes = requiredScopes.filter((scope) => !granted.has(scope));
  return {
    store: { domain, installedAt, refusedAt, fencedOffAt, editRequestsHiddenAt, missingScopes },
    printAccount: await readPrintAccount(app, shop),
    printAddressMadeAt: address?.createdAt ?? null,
    silent: await readSilentSources(app, shop),
    settingsWithoutScope: await settingsWithoutScope(app, shop),
    rates: readRates(shop),
    dataRequests: dataRequests.map(({ id, receivedAt, dueAt }) => ({ id, receivedAt, dueAt })),
    heldByPrintService: (await requests.find({ where: erased, ...mostUrgent }))
      .map(({ id, heldByPrintService }) => ({ id, orders: heldByPrintService.map(({ name }) => name) }))
      .filter(({ orders }) => orders.length > 0),
  };
}

function readRates({ settings, ratesProblem: problem, carrierServiceId }: Shop): Connections['rates'] {
  const { liveRates, fallbackRates } = fillSettings(settings);
  if (!liveRates) return null;
  return { problem, isRegistered: carrierServiceId !== null, hasFallback: fallbackRates.length > 0 };
}

async function readPrintAccount(
  app: App,
  { id: shopId, printAccountId: id }: Shop,
): Promise<Connections['printAccount']> {
  if (id === null) return null;
  const {
    state,
    refusedAt,
    refusedMessage: message,
    paymentRefusedAt,
  } = await app.db.getRepository(PrintAccounts).findOneByOrFail({ id });
  const [counted]: { orders: number }[] = await app.db.query(
    `select count(distinct storefront_order_id)::int as orders from step_waits where shop_id = $1 and code = 'payment_refused'`,
    [shopId],
  );
  return { state, refusedAt, paymentRefusedAt, message, waitingForPayment: counted?.orders ?? 0 };
}
