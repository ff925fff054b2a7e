/**
 * Someone's decision about lines that were not linked when they were ordered; without a variant and SKU it applies to all that are linked
 * by now.
 */
export interface UnlinkedWord {
  word: 'print' | 'leave';
  /** `platen`: decided by the setting. */
  by: 'cli' | 'merchant' | 'platen';
  shopifyVariantId?: string | null;
  sku?: string | null;
}

/** The tasks of the queue and their payloads: only ids, never personal data or secrets. `src/tasks.ts` maps each to its function. */
export interface TaskPayloads {
  /** Handle a stored delivery. */
  handle_delivery: { deliveryId: string };
  /** Read the order from the store and decide about each line. */
  plan_order: { storefrontOrderId: string };
  /** Ask the print service for the price and shipment of the planned print orders. */
  quote_order: { storefrontOrderId: string };
  /**
   * Create the print order at the service, with one effect however often it runs. `isStandBy`: settles a create if the job that sends it
   * dies.
   */
  submit_print_order: { printOrderId: string; isStandBy?: true };
  /** Re-read a print order from the service after an event or for a poll. */
  follow_print_order: { printOrderId: string };
  /** Push the packages of a storefront order to the store as fulfillments. */
  push_fulfillments: { storefrontOrderId: string };
  /** Update what the store shows of an order: progress, holds, events, tags, metafields. */
  update_store: { storefrontOrderId: string };
  /** Delete the spare drafts of a reference that has its chosen draft or is closed. */
  sweep_drafts: { printOrderId: string };
  /** Check whether another connection of the same print account prints this shop's orders. */
  check_other_app: { shopId: number };
  /** Register the shop's carrier service, check whether checkouts use it, or remove it. */
  keep_carrier_service: { shopId: number };
  /** Apply Platen's changes to the next variants of the shop in the store that are due. */
  keep_variants: { shopId: number };
  /** Start undoing all changes that Platen made for a shop that is left. */
  leave_store: { shopId: number };
  /** Remove Platen's holds, tags and metafields from the orders of a shop that is left. */
  clear_store: { shopId: number };
  /** Take in the next page of orders that were placed before the install, or while the app was down. */
  backfill: { backfillId: string };
  /** Plan again the orders that waited for something of the shop: a key, a setting, a link. */
  resume_shop: { shopId: number };
  /** Check the files and products of a shop's print links that are due. */
  check_print_links: { shopId: number };
  /** Plan again the orders that were held without a print link and now have one, or apply someone's decision to them. */
  plan_linked_orders: { shopId: number; word?: UnlinkedWord };
  /** Read a store product from the print service after an event named it, or again; `tries` counts earlier failures. */
  read_store_product: { shopId: number; storeId: string; storeProductId: string; tries?: number };
  /** Read a store product for the shops of its print account after this one, until one is known to have it; `shopId` got the event. */
  share_store_product: { shopId: number; storeId: string; storeProductId: string; after: number };
  /** Advance a product that was requested from a template by one step, until it is published or failed. */
  make_new_product: { newProductId: string };
  /** Read the variants of a product of the store after it was changed or deleted there. */
  read_product: { shopId: number; shopifyProductId: string };
  /** Read the products of variants that a print link has connected and that were not read yet. */
  read_new_variants: { shopId: number };
  /** Plan again the orders whose hold for an unconnected or unlinked variant may be over. */
  plan_connected_orders: { shopId: number };
  /** Write changes of a shop's connections to metafields of its products and variants, or remove them. */
  write_connections: { shopId: number };
  /** The polls: each finds changes that an event missed. */
  catch_up_print_orders: Record<string, never>;
  catch_up_uncertain: Record<string, never>;
  catch_up_storefront_orders: { shopId: number };
  catch_up_fulfillment_requests: { shopId: number };
  catch_up_packages: Record<string, never>;
  catch_up_store_updates: Record<string, never>;
  /** `since`: continues with the lists of a pass that began then. */
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
      | 'keep_carrier_service';
  };
  /** Compares each print account's orders with the database. */
  audit_print_accounts: Record<string, never>;
  /** Finds shops for which polls find changes that no delivery reported, and stuck print orders. */
  check_news: Record<string, never>;
  check_stuck: Record<string, never>;
  refresh_tokens: Record<string, never>;
  remove_old_data: Record<string, never>;
  /** Erase a customer's data of an order, or wait until that is possible. */
  redact_order: { storefrontOrderId: string };
  check_privacy_requests: Record<string, never>;
}

export type TaskName = keyof TaskPayloads;

/** What one pass of a poll found, and how much of that nothing else had reported. */
export interface PassResult {
  found: number;
  mended: number;
  /** Why a part could not be checked, as a code; the rest of the pass is valid. */
  error?: string | null;
}
