/** What a person said of lines that were not linked when they were ordered; of no variant and no SKU: of all that are linked by now. */
export interface UnlinkedWord {
  word: 'print' | 'leave';
  /** `platen`: the setting says so. */
  by: 'cli' | 'merchant' | 'platen';
  shopifyVariantId?: string | null;
  sku?: string | null;
}

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
  quote_order: { storefrontOrderId: string };
  /** Create the print order at the service, once in effect. `isStandBy`: it settles a create should the job that sends it die. */
  submit_print_order: { printOrderId: string; isStandBy?: true };
  /** Re-read a print order from the service after an event or for a poll. */
  follow_print_order: { printOrderId: string };
  /** Push the packages of a storefront order to the store as fulfilments. */
  push_fulfillments: { storefrontOrderId: string };
  /** Bring what the store shows of an order (progress, holds, events, tags, metafields) in line with what is known. */
  tell_store: { storefrontOrderId: string };
  /** Delete the spare drafts of a reference that has its chosen one or is closed. */
  sweep_drafts: { printOrderId: string };
  /** Ask whether another connection of the same print account prints this shop's orders. */
  check_other_app: { shopId: number };
  /** Register the shop's carrier service, look whether checkouts ask it, or remove it. */
  keep_carrier_service: { shopId: number };
  /** Put in order what Platen sets of a shop's variants in the store: the next of those that are due. */
  keep_variants: { shopId: number };
  /** Have all taken back that Platen has set for a shop that is left. */
  leave_store: { shopId: number };
  /** Take back what the store shows of the orders of a shop that is left: holds, tags, metafields. */
  clear_told: { shopId: number };
  /** Take in the next page of the orders that were placed before the install, or while the app was down. */
  backfill: { backfillId: string };
  /** Plan again the orders that waited for something of the shop: a key, a setting, a link. */
  resume_shop: { shopId: number };
  /** Check the files and products of a shop's print links that are due. */
  check_print_links: { shopId: number };
  /** Plan again the orders that were held without a print link and have one now, or apply a person's word to them. */
  plan_linked_orders: { shopId: number; word?: UnlinkedWord };
  /** Read a store product from the print service after an event that named it, or once more; `tries` in vain before. */
  read_store_product: { shopId: number; storeId: string; storeProductId: string; tries?: number };
  /** Read a store product for the shops of its print account after this one, while none is known to have it; `shopId` got the event. */
  share_store_product: { shopId: number; storeId: string; storeProductId: string; after: number };
  /** Take a product that was asked for from a template one step on, until it is published or failed. */
  make_new_product: { newProductId: string };
  /** Read which variants a product of the store has, after it was changed or deleted there. */
  read_product: { shopId: number; shopifyProductId: string };
  /** Read of which products the variants are that a print link has connected and that nobody has looked after yet. */
  read_new_variants: { shopId: number };
  /** Plan again the orders that are held for a variant which was not connected and is no more. */
  plan_connected_orders: { shopId: number };
  /** Write what has changed of a shop's connections to metafields of its products and variants, or take them back. */
  write_connections: { shopId: number };
  /** The polls: each catches what an event missed. */
  catch_up_print_orders: Record<string, never>;
  catch_up_uncertain: Record<string, never>;
  catch_up_storefront_orders: { shopId: number };
  catch_up_fulfillment_requests: { shopId: number };
  catch_up_packages: Record<string, never>;
  catch_up_tellings: Record<string, never>;
  /** `since`: goes on with the lists of a pass that began then. */
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
  /** Compares what each print account lists with what is known here. */
  audit_print_accounts: Record<string, never>;
  /** Looks for shops of which polls find what no delivery tells, and for print orders that nothing takes up. */
  check_news: Record<string, never>;
  check_stuck: Record<string, never>;
  refresh_tokens: Record<string, never>;
  remove_old_data: Record<string, never>;
  /** Erase a customer's data of an order, or wait until that is possible. */
  redact_order: { storefrontOrderId: string };
  check_privacy_requests: Record<string, never>;
}

export type TaskName = keyof TaskPayloads;

/** What a pass of a poll found, and how much of it was news: nothing else had told of it. */
export interface PassResult {
  found: number;
  mended: number;
  /** Why a part of it could not be looked at, as a code; the rest of the pass stands. */
  error?: string | null;
}
