import { BULK, POLLS } from './priorities.ts';
import type { TaskName, TaskPayloads } from './tasks.ts';

/**
 * Which time applies when a job replaces a waiting job: the new job's time (`replace`, the default), the waiting job's time unless it has
 * already been tried (`preserve_run_at`), or the earlier of the two (`earlier`).
 */
export type KeyMode = 'replace' | 'preserve_run_at' | 'earlier';

/** The default placement of a task's jobs in the queue. */
export interface JobPlacement<Payload = never> {
  /** Only one job with a key can be waiting. The next job with the key replaces it. */
  key?: (payload: Payload) => string;
  keyMode?: KeyMode;
  /**
   * Jobs in one queue never run in parallel. `key`: a queue for jobs with the same key. `order`: a queue for one storefront order. Any
   * other value is the name of a queue.
   */
  queue?: string;
  /** A class from `priorities.ts`. The default is ORDERS. */
  priority?: number;
  /** Seconds to wait. Changes often arrive in groups, and one job that waits handles the whole group. */
  waitSeconds?: number;
}

const perOrder = (name: string) => ({
  key: ({ storefrontOrderId }: { storefrontOrderId: string }) => `${name}:${storefrontOrderId}`,
  queue: 'order',
});
const perPrintOrder = (name: string) => ({
  key: ({ printOrderId }: { printOrderId: string }) => `${name}:${printOrderId}`,
  queue: 'order',
});
const perShop = (name: string) => ({ key: ({ shopId }: { shopId: number }) => `${name}:${shopId}` });

/**
 * A poll runs one pass at a time, regardless of the number of replicas. Only one more pass can be waiting. Enqueuing the pass again does
 * not change its time.
 */
const pass = (name: string, priority = POLLS) => ({
  key: () => name,
  queue: `pass:${name}`,
  keyMode: 'preserve_run_at' as const,
  priority,
});
/** A pass that runs per shop has a queue for each shop. Product passes request hundreds of pages, so all other polls run before them. */
const passPerShop = (name: string, priority = POLLS) => ({
  ...perShop(name),
  queue: 'pass',
  keyMode: 'preserve_run_at' as const,
  priority,
});

/** The placement of every task. */
const PLACEMENTS: { [T in TaskName]: JobPlacement<TaskPayloads[T]> } = {
  handle_delivery: {},
  plan_order: { ...perOrder('plan'), keyMode: 'preserve_run_at' },
  quote_order: perOrder('quote'),
  submit_print_order: perPrintOrder('submit'),
  follow_print_order: perPrintOrder('follow'),
  push_fulfillments: perOrder('push'),
  update_store: perOrder('update_store'),
  sweep_drafts: perPrintOrder('sweep'),
  redact_order: perOrder('redact'),
  backfill: { priority: BULK },
  resume_shop: perShop('resume_shop'),
  leave_store: perShop('leave_store'),
  clear_store: { ...perShop('clear_store'), queue: 'key', priority: BULK },
  keep_carrier_service: { ...perShop('keep_carrier_service'), queue: 'key' },
  keep_fulfillment_service: { ...perShop('keep_fulfillment_service'), queue: 'key', keyMode: 'preserve_run_at' },
  keep_variants: {
    ...perShop('keep_variants'),
    queue: 'key',
    keyMode: 'preserve_run_at',
    priority: BULK,
    waitSeconds: 1,
  },
  // Only one such job runs at a time for all shops, and the shops take turns. A slow file therefore occupies only one worker.
  check_print_links: {
    ...perShop('check_print_links'),
    queue: 'check_print_links',
    keyMode: 'preserve_run_at',
    priority: BULK,
  },
  plan_linked_orders: perShop('plan_linked_orders'),
  plan_connected_orders: perShop('plan_connected_orders'),
  read_store_product: {
    key: ({ shopId, storeProductId }) => `store-product:${shopId}:${storeProductId}`,
    queue: 'key',
    priority: POLLS,
  },
  share_store_product: {
    key: ({ shopId, storeProductId, after }) => `share_store_product:${shopId}:${storeProductId}:${after}`,
    keyMode: 'preserve_run_at',
  },
  make_new_product: { key: ({ newProductId }) => `new-product:${newProductId}`, queue: 'key' },
  read_product: {
    key: ({ shopId, shopifyProductId }) => `product:${shopId}:${shopifyProductId.split('/').at(-1)}`,
    queue: 'key',
    keyMode: 'preserve_run_at',
    priority: POLLS,
    waitSeconds: 2,
  },
  read_new_variants: { ...perShop('read_new_variants'), queue: 'key', priority: BULK },
  write_connections: {
    ...perShop('write_connections'),
    queue: 'key',
    keyMode: 'preserve_run_at',
    priority: BULK,
    waitSeconds: 5,
  },
  catch_up_print_orders: pass('catch_up_print_orders'),
  catch_up_uncertain: pass('catch_up_uncertain'),
  catch_up_storefront_orders: passPerShop('catch_up_storefront_orders'),
  catch_up_fulfillment_requests: passPerShop('catch_up_fulfillment_requests'),
  catch_up_packages: pass('catch_up_packages'),
  catch_up_store_updates: pass('catch_up_store_updates'),
  catch_up_store_products: passPerShop('catch_up_store_products', BULK),
  catch_up_stock: { ...passPerShop('catch_up_stock', BULK), waitSeconds: 30 },
  catch_up_link_metafields: passPerShop('catch_up_link_metafields', BULK),
  catch_up_lost_jobs: pass('catch_up_lost_jobs'),
  catch_up_shops: {
    ...pass(''),
    key: ({ pass: name }) => `catch_up_shops:${name}`,
    queue: 'pass',
  },
  check_other_app: passPerShop('check_other_app'),
  audit_print_accounts: pass('audit_print_accounts'),
  check_news: pass('check_news'),
  check_stuck: pass('check_stuck'),
  check_alerts: pass('check_alerts'),
  // `enqueueDueAlerts` overrides the queue.
  send_alerts: { ...perShop('send_alerts'), queue: 'key', keyMode: 'preserve_run_at', priority: POLLS },
  refresh_tokens: pass('refresh_tokens'),
  remove_old_data: pass('remove_old_data'),
  check_privacy_requests: pass('check_privacy_requests'),
};

export const taskNames = Object.keys(PLACEMENTS) as TaskName[];

/** Returns the placement of a task. */
export function placementOf<T extends TaskName>(task: T): JobPlacement<TaskPayloads[T]> {
  return PLACEMENTS[task];
}

/** Returns the key under which the job for this task and payload waits. Throws if the task has no key. */
export function keyOf<T extends TaskName>(task: T, payload: TaskPayloads[T]): string {
  const { key } = placementOf(task);
  if (!key) throw new Error(`jobs of ${task} have no key`);
  return key(payload);
}
