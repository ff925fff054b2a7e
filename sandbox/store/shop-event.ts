import type { Topic } from './access/app-toml.ts';

/** An event that a shop sends to the app. `body` is JSON text. A callback is sent to its own URL instead of the webhook address. */
export interface ShopEvent {
  shop: string;
  topic: Topic | 'callback';
  body: string;
  url?: string;
  /**
   * Set if a person or a test sends the event through the control endpoint. The event is then sent in this form even if the app has not
   * subscribed to the topic.
   */
  byHand?: DeliveryForm;
}

/** The form of a manually sent delivery: with headers of webhooks or events, signed with the current or the previous app secret. */
export interface DeliveryForm {
  style: 'webhooks' | 'events';
  secret: 'current' | 'previous';
}
