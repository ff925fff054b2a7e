import { runMutation, UserError } from '../graphql/run-mutation.ts';
import { carrierServiceView } from './delivery-profile-view.ts';
import type { CarrierService, Shop } from '../state.ts';
import type { View } from '../graphql/view.ts';
import type { Views } from '../graphql/views.ts';

interface CarrierInput {
  name?: string | null;
  callbackUrl?: string | null;
  active?: boolean | null;
  supportsServiceDiscovery?: boolean | null;
}

/** Returns the mutations for carrier services. A checkout requests rates from carrier services once they are in a shipping profile. */
export function carrierMutations(views: Views): View {
  const { store } = views;
  const save = (shop: Shop, carrierServices: CarrierService[]) =>
    store.write([['put', 'shops', shop.domain, { ...shop, carrierServices }]]);
  return {
    carrierServiceCreate: ({ input }: { input: CarrierInput }) =>
      runMutation(['carrierService'], () => {
        const { shop } = views;
        const code = 'CARRIER_SERVICE_CREATE_FAILED';
        if (shop.refusesCarriers) {
          throw new UserError(null, 'Carrier Calculated Shipping must be enabled for your store', code);
        }
        const known = shop.carrierServices ?? [];
        const made: CarrierService = {
          id: store.newGid('DeliveryCarrierService'),
          name: input.name ?? '',
          callbackUrl: input.callbackUrl ?? '',
          active: input.active ?? false,
          supportsServiceDiscovery: input.supportsServiceDiscovery ?? false,
        };
        assertValid(made, known, code);
        save(shop, [...known, made]);
        return { carrierService: carrierServiceView(made) };
      }),
    carrierServiceUpdate: ({ input: { id, ...input } }: { input: CarrierInput & { id: string } }) =>
      runMutation(['carrierService'], () => {
        const { shop } = views;
        const code = 'CARRIER_SERVICE_UPDATE_FAILED';
        const { found, others } = findCarrierService(shop, id, code);
        const changed: CarrierService = {
          id,
          name: input.name ?? found.name,
          callbackUrl: input.callbackUrl ?? found.callbackUrl,
          active: input.active ?? found.active,
          supportsServiceDiscovery: input.supportsServiceDiscovery ?? found.supportsServiceDiscovery,
        };
        assertValid(changed, others, code);
        save(
          shop,
          (shop.carrierServices ?? []).map((one) => (one.id === id ? changed : one)),
        );
        return { carrierService: carrierServiceView(changed) };
      }),
    carrierServiceDelete: ({ id }: { id: string }) =>
      runMutation(['deletedId'], () => {
        const { shop } = views;
        const { others } = findCarrierService(shop, id, 'CARRIER_SERVICE_DELETE_FAILED');
        save(shop, others);
        return { deletedId: id };
      }),
  };
}

function findCarrierService({ carrierServices = [] }: Shop, id: string, code: string) {
  const found = carrierServices.find((one) => one.id === id);
  if (!found) throw new UserError(['id'], 'The carrier or app could not be found.', code);
  return { found, others: carrierServices.filter((one) => one.id !== id) };
}

function assertValid({ name, callbackUrl }: CarrierService, others: readonly CarrierService[], code: string): void {
  if (name.trim() === '') throw new UserError(['name'], "Name can't be blank", code);
  if (others.some((other) => other.name.toLowerCase() === name.toLowerCase())) {
    throw new UserError(null, `${name} is already configured`, code);
  }
  if (!isCallable(callbackUrl)) throw new UserError(['callbackUrl'], 'Callback url is invalid', code);
}

/** Returns whether the store would call a URL. As everywhere in the sandbox, loopback URLs may use plain http. */
function isCallable(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || (protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(hostname));
}
