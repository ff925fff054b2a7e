import type { App } from './app.ts';
import { PrintAccounts, Shops } from './database/shops.ts';
import { handleDelivery } from './inbox/handle-delivery.ts';
import type { TaskName, TaskPayloads } from './jobs/tasks.ts';
import { auditPrintAccount } from './orders/audit-print-account.ts';
import { catchUpPrintOrders } from './orders/catch-up-print-orders.ts';
import { catchUpFulfillmentRequests, catchUpStorefrontOrders } from './orders/catch-up-storefront-orders.ts';
import { catchUpUncertain } from './orders/catch-up-uncertain.ts';
import { checkOtherApp } from './orders/check-other-app.ts';
import { followPrintOrder } from './orders/follow-print-order.ts';
import { planStorefrontOrder } from './orders/plan-storefront-order.ts';
import { quoteStorefrontOrder } from './orders/quote-storefront-order.ts';
import { removeOldData } from './orders/remove-old-data.ts';
import { resumeShop } from './orders/resume-shop.ts';
import { submitPrintOrder } from './orders/submit-print-order.ts';
import { sweepDrafts } from './orders/sweep-drafts.ts';
import { PrintServiceError } from './print/errors.ts';
import { refreshTokens } from './shops/refresh-tokens.ts';
import { catchUpPackages } from './tracking/catch-up-packages.ts';
import { pushFulfillments } from './tracking/push-fulfillments.ts';

type Tasks = { [T in TaskName]: (payload: TaskPayloads[T]) => Promise<void> };

/** Which function of the domain does each task of the queue. */
export function toTasks(app: App): Tasks {
  return {
    handle_delivery: (payload) => handleDelivery(app, payload),
    plan_order: async (payload) => void (await planStorefrontOrder(app, payload)),
    quote_order: (payload) => quoteStorefrontOrder(app, payload),
    submit_print_order: (payload) => submitPrintOrder(app, payload),
    follow_print_order: (payload) => followPrintOrder(app, payload),
    sweep_drafts: (payload) => sweepDrafts(app, payload),
    push_fulfillments: (payload) => pushFulfillments(app, payload),
    check_other_app: (payload) => checkShop(app, payload.shopId),
    resume_shop: (payload) => resumeShop(app, payload),
    catch_up_print_orders: async () => void (await catchUpPrintOrders(app)),
    catch_up_uncertain: async () => void (await catchUpUncertain(app)),
    catch_up_storefront_orders: async (payload) => void (await catchUpStorefrontOrders(app, payload)),
    catch_up_fulfillment_requests: async (payload) => void (await catchUpFulfillmentRequests(app, payload)),
    catch_up_packages: async () => void (await catchUpPackages(app)),
    catch_up_shops: (payload) => fanOut(app, payload.pass),
    audit_print_accounts: () => auditPrintAccounts(app),
    refresh_tokens: () => refreshTokens(app),
    remove_old_data: () => removeOldData(app),
  };
}

async function checkShop(app: App, shopId: number): Promise<void> {
  const shop = await app.db.manager.findOneBy(Shops, { id: shopId, state: 'installed' });
  if (shop) await checkOtherApp(app, shop, { onlyFirst: false });
}

/** A pass that goes shop by shop: a job each, so that a slow shop delays no other. */
async function fanOut(app: App, pass: TaskPayloads['catch_up_shops']['pass']): Promise<void> {
  const shops = await app.db.manager.find(Shops, { where: { state: 'installed' }, select: { id: true } });
  for (const { id: shopId } of shops) await app.jobs.enqueue(app.db, pass, { shopId }, { key: `${pass}:${shopId}` });
}

/** An account that cannot be audited delays no other; what is no matter of the service fails the job in the end. */
async function auditPrintAccounts(app: App): Promise<void> {
  const accounts = await app.db.manager.find(PrintAccounts, {
    where: { state: 'working' },
    select: { id: true },
    order: { id: 'ASC' },
  });
  const failures: unknown[] = [];
  for (const { id: accountId } of accounts) {
    try {
      await auditPrintAccount(app, { accountId });
    } catch (error) {
      app.log.error({ accountId, error }, 'a print account could not be audited; the next day comes');
      if (!(error instanceof PrintServiceError)) failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} print accounts could not be audited`);
}
