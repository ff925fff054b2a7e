import { areInSameRegion, type Facility } from './production/facilities.ts';
import { fromDollars } from './money.ts';
import type { WantedItem } from './production/choose-facilities.ts';

/** A shipping method as a quote lists it (docs/rules/print-interface.md#shipment-method). */
export interface OfferedMethod {
  name: string;
  shipmentMethodUid: string;
  price: number;
  currency: string;
  minDeliveryDays: number;
  maxDeliveryDays: number;
  minDeliveryDate: string;
  maxDeliveryDate: string;
  type: string;
  isPrivate: boolean;
  isBusiness: boolean;
  totalWeight: number;
  numberOfParcels: number;
  incoTerms?: string;
}

/** How far a parcel travels: within one country, within one region or to another region. Prices (USD) and delivery days depend on it. */
type Distance = 'country' | 'region' | 'world';
interface Terms {
  base: number;
  perKilogram: number;
  days: readonly [number, number];
}

const TERMS: Readonly<Record<string, Readonly<Record<Distance, Terms>>>> = {
  normal: {
    country: { base: 4.28, perKilogram: 1.5, days: [4, 7] },
    region: { base: 6.1, perKilogram: 2.4, days: [5, 9] },
    world: { base: 9.9, perKilogram: 6.5, days: [8, 18] },
  },
  standard: {
    country: { base: 5.9, perKilogram: 1.8, days: [3, 5] },
    region: { base: 8.4, perKilogram: 3, days: [4, 7] },
    world: { base: 14.5, perKilogram: 8, days: [6, 12] },
  },
  express: {
    country: { base: 12.5, perKilogram: 3, days: [1, 2] },
    region: { base: 18.9, perKilogram: 5.2, days: [2, 3] },
    world: { base: 29.5, perKilogram: 11, days: [3, 5] },
  },
  pallet: {
    country: { base: 65, perKilogram: 0.4, days: [5, 9] },
    region: { base: 120, perKilogram: 0.7, days: [7, 12] },
    world: { base: 310, perKilogram: 2.1, days: [20, 40] },
  },
};

/**
 * The carrier's uid and name for each method type. A domestic parcel uses the country's own entry if there is one. All other parcels use
 * `world`.
 */
const CARRIERS: Readonly<Record<string, Readonly<Record<string, readonly [uid: string, name: string]>>>> = {
  normal: {
    US: ['fed_ex_smart_post', 'SmartPost'],
    GB: ['royal_mail_tracked_48', 'Royal Mail Tracked 48'],
    DE: ['dhl_parcel', 'DHL Parcel'],
    NL: ['tnt_parcel', 'PostNL Standard'],
    NO: ['bring_parcel', 'Bring Parcel'],
    CA: ['canada_post_expedited', 'Canada Post Expedited'],
    AU: ['australia_post_parcel', 'Australia Post Parcel'],
    JP: ['japan_post_yu_pack', 'Japan Post Yu-Pack'],
    BR: ['correios_pac', 'Correios PAC'],
    world: ['tnt_global_pack', 'PostNL Global Pack'],
  },
  standard: { US: ['ups_surepost', 'UPS Surepost'], world: ['dhl_global_parcel', 'DHL Global Parcel'] },
  express: {
    US: ['fed_ex_2_day', 'FedEx 2Day'],
    BR: ['dhl_express_domestic_br', 'DHL Express Domestic BR'],
    world: ['dhl_express_worldwide', 'DHL Express Worldwide'],
  },
  pallet: { world: ['db_schenker_pallet', 'DB Schenker Pallet'] },
};

const PALLET_FROM_GRAMS = 30_000;
const PARCEL_GRAMS = 20_000;
const PACKAGING_GRAMS = 129;
const DAY_MS = 86_400_000;

interface Shipping {
  facility: Facility;
  country: string;
  currency: string;
  now: Date;
  /** False to offer only the method types of the documented interface. */
  extended: boolean;
}

/** Returns the shipping methods for these items from one facility, cheapest first. Delivery dates are counted from `now` in UTC. */
export function offerMethods(items: readonly WantedItem[], shipping: Shipping): OfferedMethod[] {
  const { facility, country, currency, now, extended } = shipping;
  const distance = distanceOf(facility, country);
  const totalWeight = toTotalWeight(items);
  const types = Object.keys(TERMS).filter((type) => type !== 'pallet' || totalWeight >= PALLET_FROM_GRAMS);
  const methods = types.flatMap((type): OfferedMethod[] => {
    const terms = TERMS[type]?.[distance];
    const carriers = CARRIERS[type];
    const carrier = (distance === 'country' ? carriers?.[country] : undefined) ?? carriers?.['world'];
    if (!terms || !carrier) return [];
    const [minDeliveryDays, maxDeliveryDays] = terms.days;
    return [
      {
        name: carrier[1],
        shipmentMethodUid: carrier[0],
        price: fromDollars(terms.base + (terms.perKilogram * totalWeight) / 1000, currency),
        currency,
        minDeliveryDays,
        maxDeliveryDays,
        minDeliveryDate: dateAfter(now, minDeliveryDays),
        maxDeliveryDate: dateAfter(now, maxDeliveryDays),
        type: type === 'standard' && !extended ? 'normal' : type,
        isPrivate: type !== 'pallet',
        isBusiness: true,
        totalWeight,
        numberOfParcels: type === 'pallet' ? 1 : Math.ceil(totalWeight / PARCEL_GRAMS),
        ...(distance === 'country' ? {} : { incoTerms: 'DDP' }),
      },
    ];
  });
  return methods.toSorted((one, other) => one.price - other.price);
}

/** Returns the calendar day `days` after `now`, in UTC, as YYYY-MM-DD. */
function dateAfter(now: Date, days: number): string {
  return new Date(now.getTime() + days * DAY_MS).toISOString().slice(0, 10);
}

function toTotalWeight(items: readonly WantedItem[]): number {
  return items.reduce((sum, item) => sum + item.product.weightGrams * item.quantity, PACKAGING_GRAMS);
}

function distanceOf(facility: Facility, country: string): Distance {
  if (facility.country === country) return 'country';
  return areInSameRegion(facility.country, country) ? 'region' : 'world';
}
