import type { Topic } from './access/app-toml.ts';

/** Something a shop tells the app of; `body` is JSON text. A callback goes to a URL of its own instead of the webhook address. */
export interface ShopEvent {
  shop: string;
  topic: Topic | 'callback';
  body: string;
  url?: string;
  /** Sent by hand: whether the app subscribed to the topic or not, and in the form that is asked for. */
  byHand?: DeliveryForm;
}

/** How a delivery by hand is sent: with the header family of webhooks or of events, signed with the app's secret or the one before. */
export interface DeliveryForm {
  style: 'webhooks' | 'events';
  secret: 'current' | 'previous';
}
