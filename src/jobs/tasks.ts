/**
 * The tasks of the queue and their payloads: ids only, never personal data, never a secret.
 * `src/tasks.ts` says which function of the domain does each.
 */
export interface TaskPayloads {
  /** Something arrived at a door and was stored. */
  handle_delivery: { deliveryId: string };
  /** Read the order from the store and decide what becomes of each line. */
  plan_order: { storefrontOrderId: string };
  /** Ask the print service what the planned print orders cost and how they travel. */
  quote_order: { storefrontOrderId: string; tries?: number };
  /** Create the print order at the service, once in effect. */
  submit_print_order: { printOrderId: string; tries?: number };
  /** Re-read a print order from the service after an event or for a poll. */
  follow_print_order: { printOrderId: string };
  /** Push the packages of a storefront order to the store as fulfilments. */
  push_fulfillments: { storefrontOrderId: string };
  /** Delete the spare drafts of a reference that has its chosen one or is closed. */
  sweep_drafts: { printOrderId: string };
  /** Ask whether another connection of the same print account prints this shop's orders. */
  check_other_app: { shopId: number };
  /** Plan again the orders that waited for something of the shop: a key, a setting, a link. */
  resume_shop: { shopId: number };
  /** The polls: each catches what an event missed. */
  catch_up_print_orders: Record<string, never>;
  catch_up_uncertain: Record<string, never>;
  catch_up_storefront_orders: { shopId: number };
  catch_up_fulfillment_requests: { shopId: number };
  catch_up_packages: Record<string, never>;
  catch_up_shops: { pass: 'catch_up_storefront_orders' | 'catch_up_fulfillment_requests' | 'check_other_app' };
  /** Compares what each print account lists with what is known here. */
  audit_print_accounts: Record<string, never>;
  refresh_tokens: Record<string, never>;
  remove_old_data: Record<string, never>;
}

export type TaskName = keyof TaskPayloads;
