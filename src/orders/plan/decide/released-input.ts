import { locationOf } from '../../facts/store-quantities.ts';
import type { PlanInput } from './plan.ts';

/** Returns the input as it would be after Platen has requested fulfillment from its own location and accepted the request. */
export function withRequestsAccepted(input: PlanInput): PlanInput {
  const asked = new Set(input.settings.submitsRequests ? ['SUBMITTED', 'UNSUBMITTED'] : ['SUBMITTED']);
  const fulfillmentOrders = input.order.fulfillmentOrders.map((one) => {
    const isAsked = locationOf(one, input.shop.locationId) === 'ours' && asked.has(one.requestStatus);
    return isAsked ? { ...one, requestStatus: 'ACCEPTED' } : one;
  });
  return { ...input, order: { ...input.order, fulfillmentOrders } };
}

/** Returns the input as it would be if nothing had to be released, requested or paid for, and nobody had canceled printing. */
export function withEverythingReleased(input: PlanInput): PlanInput {
  const released = withoutGates(input);
  const fulfillmentOrders = input.order.fulfillmentOrders.map((one) => {
    const isOurs = locationOf(one, input.shop.locationId) === 'ours';
    return isOurs && one.requestStatus !== 'CANCELLATION_REQUESTED' ? { ...one, requestStatus: 'ACCEPTED' } : one;
  });
  return {
    ...released,
    order: { ...input.order, fulfillmentOrders },
    decisions: { ...released.decisions, cancelAskedAt: null },
    settings: { ...released.settings, unpaidOrders: 'print' },
  };
}

/** Removes Platen's release gates (approval, manual hold, daily release and delay) from the input. */
export function withoutGates(input: PlanInput): PlanInput {
  const decisions = {
    ...input.decisions,
    approvedAt: input.now,
    approvedTotal: null,
    approvedUnits: null,
    heldAt: null,
  };
  return { ...input, decisions, settings: { ...input.settings, release: 'automatic', delayMinutes: 0 } };
}

const NO_ADDRESS = {
  firstName: '',
  lastName: '',
  addressLine1: '',
  city: '',
  postCode: '',
  country: '',
  email: '',
};

/** Removes from the input the problems that stop a whole order (its address, the print account) or its other lines. */
export function withoutFaults(input: PlanInput): PlanInput {
  return {
    ...input,
    recipient: input.recipient?.ok ? input.recipient : { ok: true, address: NO_ADDRESS, changes: [] },
    shop: { ...input.shop, hasPrintAccount: true, anotherAppPrints: false },
    settings: { ...input.settings, sendsRestOfHeldOrders: true },
  };
}
