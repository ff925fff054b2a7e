import { randomUUID } from 'node:crypto';
import { Refusal } from '../../refusal.ts';
import type { WantedItem } from './choose-facilities.ts';
import type { Facility } from './facilities.ts';
import type { OrderShipment } from '../orders/order-record.ts';
import { offerMethods, type OfferedMethod } from '../shipment-methods.ts';

interface ShipmentOptions {
  facility: Facility;
  country: string;
  currency: string;
  /**
   * `normal`, `express`, a method's uid from a quote, or a comma-separated list of these, from which the cheapest matching method is
   * chosen. Null means the cheapest method.
   */
  shipmentMethod: string | null;
  /**
   * Whether this is not the first part of the order. The requested method was quoted for the first part's facility. If the method is not
   * offered for a later part, the later part uses the cheapest method.
   */
  isFurtherPart: boolean;
  now: Date;
  extended: boolean;
}

/**
 * Builds the shipment of an order, without packages yet (docs/rules/print-interface.md#shipment). Throws a `Refusal` (400) for a method
 * that is not offered.
 */
export function buildShipment(items: readonly WantedItem[], wish: ShipmentOptions): OrderShipment {
  const { facility, shipmentMethod, isFurtherPart } = wish;
  const offered = offerMethods(items, wish);
  const method = chooseMethod(offered, shipmentMethod) ?? (isFurtherPart ? offered[0] : undefined);
  if (!method) {
    const message = `Shipment method ${shipmentMethod} is not available for this order.`;
    const detail = { message, reference: 'shipmentMethodUid', code: 'shipment_method_not_available' };
    throw new Refusal(400, 'invalid_request', `shipmentMethodUid: ${message}`, [detail]);
  }
  return {
    id: randomUUID(),
    shipmentMethodName: method.name,
    shipmentMethodUid: method.shipmentMethodUid,
    minDeliveryDays: method.minDeliveryDays,
    maxDeliveryDays: method.maxDeliveryDays,
    minDeliveryDate: method.minDeliveryDate,
    maxDeliveryDate: method.maxDeliveryDate,
    totalWeight: method.totalWeight,
    price: method.price,
    fulfillmentCountry: facility.country,
    fulfillmentStateProvince: facility.stateProvince,
    fulfillmentFacilityId: facility.id,
    packagesCount: method.numberOfParcels,
    packages: [],
  };
}

/** Chooses the shipping method. `offered` is sorted by price, cheapest first. */
function chooseMethod(offered: readonly OfferedMethod[], wanted: string | null): OfferedMethod | undefined {
  if (wanted === null) return offered[0];
  const names = wanted.split(',').map((name) => name.trim());
  return offered.find((method) => names.includes(method.shipmentMethodUid) || names.includes(method.type));
}
