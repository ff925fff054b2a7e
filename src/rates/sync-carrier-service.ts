import { In } from 'typeorm';
import type { App } from '../app.ts';
import { Shops, type Shop } from '../database/entities/shops.ts';
import type { AdminApi } from '../shopify/admin/admin-api.ts';
import {
  createCarrierService,
  deleteCarrierService,
  findCarrierService,
  isInShippingProfiles,
  isPlanRefusal,
  updateCarrierService,
  type CarrierService,
} from '../shopify/calls/carrier-services.ts';
import { ShopifyError } from '../shopify/admin/errors.ts';
import { runIfPermitted } from '../shops/tokens/run-if-permitted.ts';
import { isGranted } from '../shops/tokens/scopes.ts';
import { fillSettings } from '../shops/settings/settings-schema.ts';
import { openAdmin } from '../shops/tokens/tokens.ts';
import { runUnderLock } from '../shops/tokens/run-under-lock.ts';
import { isRatesAddress, createRatesAddress } from './rates-address.ts';
import type { RatesProblem } from './rates-problems.ts';

const NAME = 'Platen';
/** The states of shops whose store may have Platen's carrier service. */
const KEPT_STATES: Shop['state'][] = ['installed', 'leaving'];

/**
 * Applies the setting `liveRates` to a shop's carrier service: registers the carrier service at one of Platen's callback addresses, or
 * removes it. The carrier service is also removed when Platen is stopped for the shop. A problem that prevents rates is saved as
 * `ratesProblem`. Runs for one shop never overlap, and repeating a run is safe. Throws ShopifyError, and PlatenError `shop_needs_sign_in`.
 */
export async function syncCarrierService(app: App, { shopId }: { shopId: number }): Promise<void> {
  await runUnderLock(app, 'KeepCarrierService', async (manager) => {
    // An advisory lock is used instead of a lock on the shop's row, because calls to the store may have to write to the row.
    await manager.query(`select pg_advisory_xact_lock(hashtext('carrier_service'), $1)`, [shopId]);
    const shop = await app.db.manager.findOneBy(Shops, { id: shopId, state: In(KEPT_STATES) });
    if (!shop) return;
    const leaves = shop.state === 'leaving';
    const isOn = !leaves && fillSettings(shop.settings).liveRates;
    if (!isOn && shop.carrierServiceId === null && shop.ratesTokenHash === null) return clearProblem(app, shop);
    // `settingsWithoutScope` reports the missing permission. The callback address stays valid, because the store may still request rates
    // from it.
    if (!(await isGranted(app, shop, 'liveRates'))) return;
    const admin = await openAdmin(app, shop, { whileLeaving: leaves && 'only' });
    await runIfPermitted(app, shop, ['liveRates'], () =>
      isOn ? registerService(app, admin, shop) : removeService(app, admin, shop),
    );
  });
}

async function registerService(app: App, admin: AdminApi, shop: Shop): Promise<void> {
  const found = await findCarrierService(admin, { id: shop.carrierServiceId, name: NAME });
  try {
    const service =
      found?.active && isRatesAddress(app, found.callbackUrl, shop.ratesTokenHash)
        ? found
        : await registerAddress(app, admin, shop, found);
    const isOffered = await isInShippingProfiles(admin, service.id);
    await saveChange(app, shop, { carrierServiceId: service.id, ratesProblem: isOffered ? null : 'not_in_profiles' });
  } catch (error) {
    if (!(error instanceof ShopifyError) || error.kind !== 'user_error') throw error;
    app.log.warn({ shopId: shop.id, error }, 'the store rejected the carrier service');
    await saveChange(app, shop, { ratesProblem: isPlanRefusal(error) ? 'plan_refuses' : 'store_refuses' });
  }
}

/**
 * Saves the hash of the new address's token before the call to the store. If the response is lost, the next run can therefore still
 * recognize the address.
 */
async function registerAddress(
  app: App,
  admin: AdminApi,
  shop: Shop,
  found: CarrierService | null,
): Promise<CarrierService> {
  const { callbackUrl, tokenHash } = createRatesAddress(app);
  await saveChange(app, shop, { ratesTokenHash: tokenHash });
  return found
    ? updateCarrierService(admin, { id: found.id, callbackUrl })
    : createCarrierService(admin, { name: NAME, callbackUrl });
}

async function removeService(app: App, admin: AdminApi, shop: Shop): Promise<void> {
  const found = await findCarrierService(admin, { id: shop.carrierServiceId, name: NAME });
  if (found) await deleteCarrierService(admin, found.id);
  await saveChange(app, shop, { carrierServiceId: null, ratesTokenHash: null, ratesProblem: null });
}

async function clearProblem(app: App, shop: Shop): Promise<void> {
  if (shop.ratesProblem !== null) await saveChange(app, shop, { ratesProblem: null });
}

type CarrierServiceChange = Partial<Pick<Shop, 'carrierServiceId' | 'ratesTokenHash'>> & {
  ratesProblem?: RatesProblem | null;
};

/** Saves nothing if the shop has since been uninstalled, because the store then deletes the carrier service itself. */
async function saveChange(app: App, { id }: Shop, kept: CarrierServiceChange): Promise<void> {
  await app.db.getRepository(Shops).update({ id, state: In(KEPT_STATES) }, kept);
}
