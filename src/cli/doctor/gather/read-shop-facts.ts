import PQueue from 'p-queue';
import { In, MoreThan } from 'typeorm';
import type { App } from '../../../app.ts';
import { Shops, type Shop } from '../../../database/entities/shops.ts';
import { InvalidInputError, PlatenError } from '../../../errors.ts';
import { hasFulfillmentService } from '../../../shopify/calls/fulfillment-service.ts';
import { readWebhookSubscriptions } from '../../../shopify/calls/shop.ts';
import { readCallbacks } from '../../../shops/callbacks/read-callbacks.ts';
import { PrintServiceUnavailableError, trySavedKey } from '../../../shops/print-account/try-print-key.ts';
import { readConnections } from '../../../shops/read-connections.ts';
import { checkStore } from '../../../shops/tokens/check-stores.ts';
import { openAdmin } from '../../../shops/tokens/tokens.ts';
import { codeOf } from '../code-of.ts';
import type { ShopFacts } from '../find/find-shop-problems.ts';

const PAGE = 200;
const CONCURRENT_SHOPS = 5;
const WEEK_MS = 7 * 86_400_000;
/** After this time, no further tokens or keys are tested, so that checking many shops does not take too long. */
const MAX_TESTING_MS = 300_000;

/** A shop that could not be checked, and the error's code. */
export interface UncheckedShop {
  domain: string;
  failure: string;
}

/** Reads every shop that uses Platen, page by page. Asks its store and the print service whether they accept Platen. */
export async function* readShopFacts(
  app: App,
  maxTestingMs: number = MAX_TESTING_MS,
): AsyncGenerator<ShopFacts | UncheckedShop> {
  const begun = app.clock.ticks();
  // Shops with the same print account share its key.
  const keys = new Map<string, Promise<ShopFacts['printKey']>>();
  let page: Shop[] = [];
  do {
    const where = { state: In(['installed', 'needs_sign_in', 'leaving']), id: MoreThan(page.at(-1)?.id ?? 0) };
    page = await app.db.manager.find(Shops, { where, order: { id: 'ASC' }, take: PAGE });
    const queue = new PQueue({ concurrency: CONCURRENT_SHOPS });
    yield* await queue.addAll(
      page.map((shop) => async () => {
        try {
          return await readShop(app, shop, { keys, canTest: app.clock.ticks() - begun < maxTestingMs });
        } catch (error) {
          return { domain: shop.domain, failure: codeOf(error) };
        }
      }),
    );
  } while (page.length === PAGE);
}

async function readShop(
  app: App,
  shop: Shop,
  { keys, canTest }: { keys: Map<string, Promise<ShopFacts['printKey']>>; canTest: boolean },
): Promise<ShopFacts> {
  const { id: shopId, domain, printAccountId: accountId, settings } = shop;
  const token = canTest ? await readToken(app, shop) : null;
  const choice = `${accountId} ${JSON.stringify([settings['printInterface'], settings['legacyHost']])}`;
  if (canTest && accountId !== null && !keys.has(choice)) keys.set(choice, readPrintKey(app, shop));
  const printKey = (await keys.get(choice)) ?? null;
  const callbacks = await readCallbacks(app, shop, new Date(app.clock.now().getTime() - WEEK_MS));
  return {
    shopId,
    domain,
    accountId,
    token,
    printKey,
    ...(token === 'works' && shop.state === 'installed'
      ? await readFromStore(app, shop)
      : { subscriptions: null, hasService: null }),
    callbacks,
    // Read last, because testing the token updates the stored permissions.
    connections: await readConnections(app, shop),
  };
}

async function readToken(app: App, shop: Shop): Promise<ShopFacts['token']> {
  try {
    return await checkStore(app, shop);
  } catch (error) {
    // The check of the encryption keys reports a token that cannot be read.
    if (error instanceof PlatenError && error.code === 'cannot_decrypt') return null;
    throw error;
  }
}

async function readPrintKey(app: App, shop: Shop): Promise<ShopFacts['printKey']> {
  try {
    await trySavedKey(app, shop);
    return { answer: 'accepted', message: '' };
  } catch (error) {
    // The service's own message is left out, because it may repeat the key, and the report must not contain secrets.
    if (error instanceof InvalidInputError)
      return { answer: 'refused', message: "The print service does not accept the shop's key." };
    if (error instanceof PrintServiceUnavailableError)
      return { answer: 'unavailable', message: 'The print service did not respond, so the key was not tested.' };
    if (error instanceof PlatenError && error.code === 'cannot_decrypt') return null;
    throw error;
  }
}

async function readFromStore(app: App, shop: Shop): Promise<Pick<ShopFacts, 'subscriptions' | 'hasService'>> {
  try {
    const admin = await openAdmin(app, shop, { isBulk: true });
    return {
      subscriptions: await readWebhookSubscriptions(admin),
      hasService: await hasFulfillmentService(admin, shop.fulfillmentServiceId),
    };
  } catch (error) {
    if (!(error instanceof PlatenError)) throw error;
    return { subscriptions: null, hasService: null };
  }
}
