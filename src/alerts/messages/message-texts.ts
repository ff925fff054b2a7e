import type { ConditionName } from '../decide-alert.ts';

/** The texts of messages in one language. */
export interface MessageTexts {
  /** `started` and `ended` are the titles when a condition begins and ends. `text` explains the condition and what to do about it. */
  conditions: Record<ConditionName, { started: string; text: string; ended: string }>;
  ended: string;
  subjectOf: (shop: string, what: string) => string;
  heldSubject: (orders: number) => string;
  held: (orders: number) => string;
  heldFor: (reason: string, orders: number) => string;
  /** The label of a link to all orders that are held for a reason, if the message names none of them. */
  all: (orders: number) => string;
  /** The label of a link to the orders that the message does not name. */
  others: (orders: number) => string;
  showHeld: string;
  open: string;
  alertFooter: string;
  settings: string;
  test: { subject: string; title: string; text: string };
  digest: {
    subject: (shop: string) => string;
    title: (from: string, to: string) => string;
    orders: string;
    timeToShip: string;
    shipped: (orders: number) => string;
    cost: string;
    paid: string;
    margin: string;
    unknown: (printOrders: number) => string;
    tooMany: string;
    holds: string;
    stillOpen: (orders: number) => string;
    /** The number of orders that were on hold, for any reason. */
    total: string;
    before: (value: string) => string;
    none: string;
    hours: (hours: string) => string;
    days: (days: string) => string;
    show: string;
    footer: string;
  };
}
