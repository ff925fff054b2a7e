/**
 * A decision about lines that had no print link when they were ordered. Without a variant and SKU, the decision applies to all such lines
 * that have a print link now.
 */
export interface UnlinkedDecision {
  word: 'print' | 'leave';
  /** Who made the decision. `platen` stands for the shop's setting. */
  by: 'cli' | 'merchant' | 'platen';
  shopifyVariantId?: string | null;
  sku?: string | null;
}

/**
 * The queue's tasks and their payloads, which contain only IDs, never personal data or secrets. `src/tasks.ts` maps each task to its
 * function.
 */
export interface TaskPayloads {
  /** Handle a stored delivery. */
  handle_delivery: { deliveryId: string };
  /** Read the order from the store and decide about each line. */
  plan_order: { storefrontOrderId: string };
  /** Request prices and shipping for the planned print orders from the print service. */
  quote_order: { storefrontOrderId: string };
  /**
   * Create the print order at the service, only once even if the task runs several times. `isStandBy`: the job runs later and resolves the
   * create request if the sending job has died.
   */
  submit_print_order: { printOrderId: string; isStandBy?: true };
  /** Read a print order from the service again, after an event or for a poll. */
  follow_print_order: { printOrderId: string };
  /** Push a storefront order's packages to the store as fulfillments. */
  push_fulfillments: { storefrontOrderId: string };
  /** Update the data that the store shows for an order: progress, holds, events, tags, metafields. */
  update_store: { storefrontOrderId: string };
  /** Delete a print order's spare drafts, once one draft with its reference has been chosen or the print order is closed. */
  sweep_drafts: { printOrderId: string };
  /** Check whether another app prints this shop's orders with the same print account. */
  check_other_app: { shopId: number };
  /** Register the shop's carrier service, check whether checkouts use it, or remove it. */
  keep_carrier_service: { shopId: number };
  /** Create the shop's fulfillment service again if it was deleted in the store. */
  keep_fulfillment_service: { shopId: number };
  /** Apply Platen's changes to the shop's next due variants in the store. */
  keep_variants: { shopId: number };
  /** Start to undo all changes that Platen has made in a shop that it is leaving. */
  leave_store: { shopId: number };
  /** Remove Platen's holds, tags and metafields from the orders of a shop that Platen is leaving. */
  clear_store: { shopId: number };
  /** Import the next page of orders that were placed before the installation or while the app was down. */
  backfill: { backfillId: string };
  /** Replan the orders that were waiting for something in the shop: a key, a setting or a print link. */
  resume_shop: { shopId: number };
  /** Check the files and products of a shop's print links that are due for a check. */
  check_print_links: { shopId: number };
  /** Replan the orders that were held without a print link and now have one, or apply a decision to them. */
  plan_linked_orders: { shopId: number; word?: UnlinkedDecision };
  /** Read a store product from the print service after an event named it, or again after a failure. `tries` counts earlier failures. */
  read_store_product: { shopId: number; storeId: string; storeProductId: string; tries?: number };
  /**
   * Read a store product for the print account's shops with an ID above `after`, until a shop that has it is found. `shopId` received the
   * event.
   */
  share_store_product: { shopId: number; storeId: string; storeProductId: string; after: number };
  /** Advance a product that was requested from a template by one step, until it is published or has failed. */
  make_new_product: { newProductId: string };
  /** Read the variants of a store's product after it was changed or deleted in the store. */
  read_product: { shopId: number; shopifyProductId: string };
  /** Read from the store the products of variants that a print link has connected, if they have not been read yet. */
  read_new_variants: { shopId: number };
  /** Replan the orders that were held for an unconnected or unlinked variant and may now proceed. */
  plan_connected_orders: { shopId: number };
  /** Update the connection metafields of a shop's products and variants, or remove them. */
  write_connections: { shopId: number };
  /** The polls. Each finds changes that no webhook or event has reported. */
  catch_up_print_orders: Record<string, never>;
  catch_up_uncertain: Record<string, never>;
  catch_up_storefront_orders: { shopId: number };
  catch_up_fulfillment_requests: { shopId: number };
  catch_up_packages: Record<string, never>;
  catch_up_store_updates: Record<string, never>;
  /** `since`: continues with the lists of a pass that began at this time. */
  catch_up_store_products: { shopId: number; since?: string };
  catch_up_stock: { shopId: number };
  catch_up_link_metafields: { shopId: number };
  catch_up_lost_jobs: Record<string, never>;
  catch_up_shops: {
    pass:
      | 'catch_up_storefront_orders'
      | 'catch_up_fulfillment_requests'
      | 'catch_up_store_products'
      | 'catch_up_stock'
      | 'catch_up_link_metafields'
      | 'check_other_app'
      | 'keep_carrier_service'
      | 'keep_fulfillment_service';
  };
  /** Compare each print account's orders with the database. */
  audit_print_accounts: Record<string, never>;
  /** `check_news`: find shops in which polls find changes that no delivery has reported. `check_stuck`: find stuck print orders. */
  check_news: Record<string, never>;
  check_stuck: Record<string, never>;
  /** Find the shops for which an alert or a weekly digest is due, and enqueue jobs that send them. */
  check_alerts: Record<string, never>;
  /** Send a shop's alert or weekly digest to each of its channels for which one is due. */
  send_alerts: { shopId: number };
  refresh_tokens: Record<string, never>;
  remove_old_data: Record<string, never>;
  /** Erase a customer's data from an order, or wait until that is possible. */
  redact_order: { storefrontOrderId: string };
  check_privacy_requests: Record<string, never>;
}

export type TaskName = keyof TaskPayloads;

/** The number of missed changes that one poll pass found, and how many of them no webhook, event or job had handled. */
export interface PassResult {
  found: number;
  fixed: number;
  /** A code that identifies why a part could not be checked. The rest of the pass is valid. */
  error?: string | null;
}
