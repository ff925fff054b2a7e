import type { Context, Middleware } from 'koa';
import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { parseJsonObject } from '../../inbox/parse-json-object.ts';
import { previewShipping } from '../../orders/quote/preview-shipping.ts';
import { disconnectPrintAccount } from '../../shops/print-account/disconnect-print-account.ts';
import { createPrintWebhookAddress } from '../../shops/print-account/print-webhook-address.ts';
import { changeSettings, showSettings } from '../../shops/settings/settings.ts';
import { PrintServiceUnavailableError, tryPrintKey, trySavedKey } from '../../shops/print-account/try-print-key.ts';
import { EndpointError } from '../error-response.ts';
import { readRawBody } from '../raw-body.ts';
import { sessionShop } from '../sign-in/session-token.ts';

const BODY_LIMIT = 64 * 1024;

/**
 * Registers a shop's new event address with the print service. Absent if the merchant registers the address in the print service's
 * dashboard. Rejects on failure.
 */
export type RegisterAddress = (shop: Shop, url: string) => Promise<void>;

/** `GET /api/settings`: the shop's settings, without secrets. */
export function getSettings(app: App): Middleware {
  return async (ctx) => {
    ctx.body = await showSettings(app, sessionShop(ctx));
  };
}

/**
 * `PUT /api/settings`: changes the given settings and returns all settings. A new print key is tested first. A 400 response names the field
 * and its valid values. A 403 response names the permission that the store must grant first. A 503 response means that the print service or
 * the store is unavailable.
 */
export function putSettings(app: App): Middleware {
  return async (ctx) => {
    const shop = sessionShop(ctx);
    const change = await readJson(ctx);
    await withUnavailableError(tryPrintKey(app, shop, change));
    ctx.body = await changeSettings(app, shop, change);
  };
}

/** `POST /api/settings/test-print-key`: tests the saved print key. Fails with 400 or 503, as for a new key. Changes nothing. */
export function postTestPrintKey(app: App): Middleware {
  return async (ctx) => {
    await withUnavailableError(trySavedKey(app, sessionShop(ctx)));
    ctx.body = { accepted: true };
  };
}

/**
 * `POST /api/settings/preview` with `{"items","country","province"?,"postCode"?,"shippingTitle"?,"value"?,"settings"?}`: how a sample order
 * would be shipped and which rates its checkout would show. `settings` may contain unsaved settings. Changes nothing.
 */
export function postSettingsPreview(app: App): Middleware {
  return async (ctx) => {
    ctx.body = await previewShipping(app, sessionShop(ctx), await readJson(ctx));
  };
}

async function withUnavailableError(tested: Promise<void>): Promise<void> {
  try {
    await tested;
  } catch (error) {
    if (!(error instanceof PrintServiceUnavailableError)) throw error;
    throw new EndpointError(503, error.code, error.message, { cause: error });
  }
}

/**
 * `POST /api/settings/disconnect-print-account`: removes the shop's print key. In the response, `disconnected` is false if the shop had no
 * key.
 */
export function postDisconnectPrintAccount(app: App): Middleware {
  return async (ctx) => {
    ctx.body = { disconnected: await disconnectPrintAccount(app, sessionShop(ctx)) };
  };
}

/** `POST /api/settings/print-webhook`: creates a new address for the print service's events. Only this response shows it. */
export function postPrintWebhook(app: App, register?: RegisterAddress): Middleware {
  return async (ctx) => {
    const shop = sessionShop(ctx);
    const url = await createPrintWebhookAddress(app, shop);
    // Only this response shows the address, so a failed registration must not prevent the response.
    const registered = await register?.(shop, url).then(
      () => true,
      (error: unknown) => {
        app.log.warn({ shopId: shop.id, error }, 'the address could not be registered with the print service');
        return false;
      },
    );
    ctx.body = registered === undefined ? { url } : { url, registered };
  };
}

async function readJson(ctx: Context): Promise<Record<string, unknown>> {
  return parseJsonObject(await readRawBody(ctx, BODY_LIMIT));
}
