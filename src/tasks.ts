import { enqueueDueAlerts } from './alerts/enqueue-due-alerts.ts';
import { sendAlerts } from './alerts/send-alerts.ts';
import type { App } from './app.ts';
import { PrintOrders } from './database/entities/print-orders.ts';
import { Shops } from './database/entities/shops.ts';
import { translateToGerman } from './http/texts/german.ts';
import { handleDelivery } from './inbox/handle-delivery.ts';
import type { PassResult, TaskName, TaskPayloads } from './jobs/tasks.ts';
import { deleteCheckDrafts } from './orders/draft-check/delete-check-drafts.ts';
import { auditPrintAccount } from './orders/follow/audit-print-account.ts';
import { catchUpLeftDrafts } from './orders/follow/catch-up-left-drafts.ts';
import { catchUpPrintOrders } from './orders/follow/catch-up-print-orders.ts';
import { catchUpFulfillmentRequests, catchUpStorefrontOrders } from './orders/intake/catch-up-storefront-orders.ts';
import { catchUpUncertain } from './orders/follow/catch-up-uncertain.ts';
import { checkOtherApp } from './orders/plan/check-other-app.ts';
import { enqueuePlan } from './orders/enqueue/enqueue-plan.ts';
import { enqueueSubmit } from './orders/enqueue/enqueue-submit.ts';
import { catchUpLostJobs } from './orders/waits/catch-up-lost-jobs.ts';
import { removeOldWaits } from './orders/waits/remove-old-waits.ts';
import { checkStuck } from './orders/waits/check-stuck.ts';
import { resumeBackfill } from './orders/enqueue/enqueue-backfill.ts';
import { runBackfill } from './orders/backfill/run-backfill.ts';
import { holdStalledOrders } from './orders/follow/hold-stalled-orders.ts';
import { followWaitingEvents } from './orders/follow/follow-waiting-events.ts';
import { followPrintOrder } from './orders/follow/follow-print-order.ts';
import { leaveStore } from './orders/leave/leave-store.ts';
import { planLinkedOrders } from './orders/plan-linked-orders.ts';
import { planConnectedOrders } from './orders/plan-connected-orders.ts';
import { planAndSend } from './orders/plan-and-send.ts';
import { checkPrivacyRequests } from './orders/privacy/check-privacy-requests.ts';
import { redactOrder } from './orders/privacy/redact-order.ts';
import { quoteStorefrontOrder } from './orders/quote/quote-storefront-order.ts';
import { runAndRecordFault } from './orders/waits/run-and-record-fault.ts';
import { recordStoreStepWait, type OrderOrPrintOrder } from './orders/waits/record-store-step-wait.ts';
import { removeOldData } from './orders/remove-old-data.ts';
import { resumeShop } from './orders/resume-shop.ts';
import { submitPrintOrder } from './orders/submit/submit-print-order.ts';
import { sweepDrafts } from './orders/submit/draft/sweep-drafts.ts';
import { PrintServiceError } from './print/errors.ts';
import { checkDueLinks } from './products/check-link/check-due-links.ts';
import { catchUpLinkMetafields } from './products/link-metafields/catch-up-link-metafields.ts';
import { enqueueCheckLinks } from './products/links/enqueue-check-links.ts';
import { writeConnections } from './products/connection-metafields/write-connections.ts';
import { createNewProduct } from './products/new-products/create-new-product.ts';
import { syncVariants } from './products/variant-sync/sync-variants.ts';
import { catchUpStock } from './products/stock/catch-up-stock.ts';
import { catchUpStoreProducts } from './products/store-products/catch-up-store-products.ts';
import { shareStoreProduct } from './products/store-products/receive-store-product-event.ts';
import { readNewVariants } from './products/store-products/read-new-variants.ts';
import { readStoreProduct } from './products/store-products/read-store-product.ts';
import { readProduct } from './products/store-products/receive-product-change.ts';
import { syncCarrierService } from './rates/sync-carrier-service.ts';
import { runPass } from './polls/run-pass.ts';
import { checkSilentSources } from './shops/record-polled-changes.ts';
import { refreshTokens } from './shops/tokens/refresh-tokens.ts';
import { catchUpPackages } from './shipments/catch-up-packages.ts';
import { catchUpStoreUpdates } from './store-status/catch-up-store-updates.ts';
import { pushFulfillments } from './shipments/push-fulfillments.ts';
import { clearStore } from './store-status/clear-store.ts';
import { updateStore } from './store-status/update-store.ts';
import { syncFulfillmentService } from './shops/install/keep-fulfillment-service.ts';
import { waitForStore } from './shops/wait-for-store.ts';
import { enqueue } from './jobs/enqueue.ts';
import { POLLS } from './jobs/priorities.ts';
import { placementOf } from './jobs/registry.ts';
import { enqueuePush } from './orders/enqueue/enqueue-push.ts';
import { isActiveSql } from './database/is-active.ts';

/** The number of IDs read per page. */
const PAGE = 500;

type Tasks = { [T in TaskName]: (payload: TaskPayloads[T]) => Promise<void> };

type Run<T extends TaskName> = (app: App, payload: TaskPayloads[T]) => Promise<unknown>;
type Again<T extends TaskName> = (payload: TaskPayloads[T], runAt: Date) => Promise<void>;

/** Returns the queue's task handlers, by task name. */
export function toTasks(app: App): Tasks {
  /** Runs a job that calls the store. If the store cannot be called, enqueues the job again for later. */
  const storeTask =
    <T extends TaskName>(
      task: T,
      run: Run<T>,
      again: Again<T> = (payload, runAt) => enqueue(app.db, task, payload, { runAt }),
    ) =>
    (payload: TaskPayloads[T]) =>
      waitForStore(
        app,
        () => run(app, payload),
        (runAt) => again(payload, runAt),
      );
  /** Runs one step of an order, and records any failure on the order. */
  const step =
    <P extends OrderOrPrintOrder>(
      name: Parameters<typeof runAndRecordFault>[1],
      run: (app: App, payload: P) => Promise<void>,
    ) =>
    (payload: P) =>
      runAndRecordFault(app, name, payload, () => run(app, payload));
  const storeStep = <P extends OrderOrPrintOrder>(
    name: Parameters<typeof recordStoreStepWait>[2],
    run: (app: App, payload: P) => Promise<void>,
    again: (payload: P, runAt: Date) => Promise<void>,
  ) =>
    step(name, (_, payload: P) =>
      waitForStore(
        app,
        () => run(app, payload),
        async (runAt, error) => {
          await recordStoreStepWait(app, payload, name, error, runAt);
          await again(payload, runAt);
        },
      ),
    );
  return {
    handle_delivery: storeTask('handle_delivery', handleDelivery),
    plan_order: storeStep('plan', planAndSend, ({ storefrontOrderId }: TaskPayloads['plan_order'], runAt) =>
      enqueuePlan(app.db, storefrontOrderId, runAt),
    ),
    quote_order: step('quote', quoteStorefrontOrder),
    submit_print_order: storeStep('submit', submitPrintOrder, (payload, runAt) => resubmit(app, payload, runAt)),
    follow_print_order: step('follow', followPrintOrder),
    sweep_drafts: (payload) => sweepDrafts(app, payload),
    push_fulfillments: storeStep(
      'push',
      pushFulfillments,
      ({ storefrontOrderId }: TaskPayloads['push_fulfillments'], runAt) =>
        enqueuePush(app.db, storefrontOrderId, { runAt }),
    ),
    update_store: storeTask('update_store', updateStore),
    redact_order: (payload) => redactOrder(app, payload),
    backfill: storeTask('backfill', runBackfill, ({ backfillId }, runAt) => resumeBackfill(app, backfillId, runAt)),
    resume_shop: (payload) => resumeShop(app, payload),
    leave_store: (payload) => leaveStore(app, payload),
    clear_store: storeTask('clear_store', clearStore),
    keep_carrier_service: storeTask('keep_carrier_service', syncCarrierService),
    keep_fulfillment_service: storeTask('keep_fulfillment_service', syncFulfillmentService),
    keep_variants: storeTask('keep_variants', syncVariants),
    check_print_links: storeTask('check_print_links', checkDueLinks, (payload, runAt) =>
      enqueueCheckLinks(app.db, payload, runAt),
    ),
    plan_linked_orders: (payload) => planLinkedOrders(app, payload),
    plan_connected_orders: (payload) => planConnectedOrders(app, payload),
    make_new_product: (payload) => createNewProduct(app, payload),
    read_store_product: storeTask('read_store_product', readStoreProduct),
    share_store_product: (payload) => shareStoreProduct(app, payload),
    read_product: storeTask('read_product', readProduct),
    read_new_variants: storeTask('read_new_variants', readNewVariants),
    write_connections: storeTask('write_connections', writeConnections),
    ...toPasses(app),
    catch_up_shops: (payload) => fanOut(app, payload.pass),
    check_other_app: (payload) => checkShop(app, payload.shopId),
    audit_print_accounts: () => auditPrintAccounts(app),
    send_alerts: (payload) => sendAlerts(app, payload, toGerman),
    refresh_tokens: () => refreshTokens(app),
    remove_old_data: () => removeOldData(app),
    check_privacy_requests: async () => void (await checkPrivacyRequests(app)),
  };
}

type Passes = Pick<
  Tasks,
  | 'catch_up_print_orders'
  | 'catch_up_uncertain'
  | 'catch_up_storefront_orders'
  | 'catch_up_fulfillment_requests'
  | 'catch_up_packages'
  | 'catch_up_store_updates'
  | 'catch_up_store_products'
  | 'catch_up_stock'
  | 'catch_up_link_metafields'
  | 'catch_up_lost_jobs'
  | 'check_news'
  | 'check_stuck'
  | 'check_alerts'
>;

/** Returns the poll passes, which report how many missed changes they found. */
function toPasses(app: App): Passes {
  const whole = (pass: keyof Passes, run: () => Promise<PassResult>) => () => runPass(app, { pass }, run);
  const ofShop =
    (pass: keyof Passes, run: (app: App, payload: { shopId: number }) => Promise<PassResult>) =>
    (payload: { shopId: number }) =>
      waitForStore(app, () => runPass(app, { pass, ...payload }, () => run(app, payload)));
  const check = (pass: keyof Passes, run: (app: App) => Promise<number>) =>
    whole(pass, async () => ({ found: await run(app), fixed: 0 }));
  return {
    catch_up_print_orders: whole('catch_up_print_orders', async () => {
      const passes = [
        await catchUpPrintOrders(app),
        await catchUpLeftDrafts(app),
        await followWaitingEvents(app),
        await holdStalledOrders(app),
      ];
      await removeOldWaits(app);
      const sum = (key: 'found' | 'fixed') => passes.reduce((total, pass) => total + pass[key], 0);
      const error = passes.find((pass) => typeof pass.error === 'string')?.error ?? null;
      return { found: sum('found'), fixed: sum('fixed'), error };
    }),
    catch_up_uncertain: whole('catch_up_uncertain', () => catchUpUncertain(app)),
    catch_up_storefront_orders: ofShop('catch_up_storefront_orders', catchUpStorefrontOrders),
    catch_up_fulfillment_requests: ofShop('catch_up_fulfillment_requests', catchUpFulfillmentRequests),
    catch_up_packages: whole('catch_up_packages', () => catchUpPackages(app)),
    catch_up_store_updates: whole('catch_up_store_updates', () => catchUpStoreUpdates(app)),
    catch_up_store_products: ofShop('catch_up_store_products', catchUpStoreProducts),
    catch_up_stock: ofShop('catch_up_stock', catchUpStock),
    catch_up_link_metafields: ofShop('catch_up_link_metafields', catchUpLinkMetafields),
    catch_up_lost_jobs: whole('catch_up_lost_jobs', () => catchUpLostJobs(app)),
    check_news: check('check_news', checkSilentSources),
    check_stuck: check('check_stuck', checkStuck),
    check_alerts: check('check_alerts', enqueueDueAlerts),
  };
}

const toGerman = (text: string): string => translateToGerman(text).text;

async function resubmit(app: App, { printOrderId }: TaskPayloads['submit_print_order'], runAt: Date) {
  const printOrder = await app.db.manager.findOneBy(PrintOrders, { id: printOrderId });
  if (printOrder) await enqueueSubmit(app.db.manager, printOrder, runAt);
}

async function checkShop(app: App, shopId: number): Promise<void> {
  const shop = await app.db.manager.findOneBy(Shops, { id: shopId, state: 'installed' });
  if (shop) await checkOtherApp(app, shop, { onlyFirst: false });
}

/** Enqueues one job per shop for the pass, so that a slow shop does not delay the others. */
async function fanOut(app: App, pass: TaskPayloads['catch_up_shops']['pass']): Promise<void> {
  // If a change has already enqueued a job with the same key, that job keeps its earlier time.
  const options = { priority: placementOf(pass).priority ?? POLLS, keyMode: 'preserve_run_at' } as const;
  for await (const shopId of pageIds(app, ACTIVE_SHOPS)) await enqueue(app.db, pass, { shopId }, options);
}

const ACTIVE_SHOPS = `select s.id from shops s where ${isActiveSql()}`;

/** To a database that has stopped for a store, the orders of the database that acts for the store would look unknown. */
const AUDITED_ACCOUNTS = `
  select a.id from print_accounts a where a.state = 'working'
    and not exists (select from shops s where s.print_account_id = a.id and s.fenced_off_at is not null)`;

async function* pageIds(app: App, rows: string): AsyncGenerator<number> {
  for (let after = 0; ;) {
    const page: { id: number }[] = await app.db.query(
      `select id from (${rows}) listed where id > $1 order by id limit ${PAGE}`,
      [after],
    );
    for (const { id } of page) yield id;
    const last = page.at(-1);
    if (!last || page.length < PAGE) return;
    after = last.id;
  }
}

/** Audits all print accounts, even if some audits fail. Errors that do not come from the print service fail the job at the end. */
async function auditPrintAccounts(app: App): Promise<void> {
  const failures: unknown[] = [];
  for await (const accountId of pageIds(app, AUDITED_ACCOUNTS)) {
    try {
      await auditPrintAccount(app, { accountId });
      await deleteCheckDrafts(app, { accountId });
    } catch (error) {
      app.log.error({ accountId, error }, 'a print account could not be audited; the next attempt is tomorrow');
      if (!(error instanceof PrintServiceError)) failures.push(error);
    }
  }
  if (failures.length > 0)
    throw new AggregateError(failures, `the audit failed for ${failures.length} of the print accounts`);
}
