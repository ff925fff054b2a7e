import type Router from '@koa/router';
import type { Context } from 'koa';
import { jsonOf } from '../../json-body.ts';
import { Refusal } from '../../refusal.ts';
import { authenticate } from '../authenticate.ts';
import type { StandIn } from '../stand-in.ts';
import { cancelByReference } from './cancel-by-reference.ts';
import { createFromPromise } from './create-from-promise.ts';
import { findLegacyOrders } from './legacy-orders.ts';
import type { Host, Version } from './promises.ts';
import { quoteV1, quoteV2 } from './quote-legacy.ts';
import { showAddress } from './show-address.ts';
import { showStatusV1, showStatusV2 } from './show-status.ts';

/** Adds the v1 and v2 endpoints (docs/rules/print-interface.md#v1): the live host at the root, the test host below `/test`. */
export function addLegacyCalls(router: Router, standIn: StandIn): void {
  addHostCalls(router, standIn, 'live', '');
  addHostCalls(router, standIn, 'test', '/test');
}

function addHostCalls(router: Router, standIn: StandIn, host: Host, prefix: string): void {
  const find = (ctx: Context, account: string, version: Version) =>
    findLegacyOrders(standIn, { account, host, version, orderReferenceId: referenceOf(ctx) });
  const create = toHandler((ctx, account) => createFromPromise(standIn, account, host, jsonOf(ctx)));

  router.post(
    `${prefix}/v1/quote`,
    toHandler((ctx, account) => quoteV1(standIn, { account, host }, jsonOf(ctx))),
  );
  router.post(`${prefix}/v1/order/create`, create);
  router.get(
    `${prefix}/v1/order/status/:orderReferenceId`,
    toHandler((ctx, account) => showStatusV1(find(ctx, account, 'v1'))),
  );
  router.post(
    `${prefix}/v1/order/cancel`,
    toHandler((ctx, account) => cancelByReference(standIn, account, host, jsonOf(ctx))),
  );
  router.post(
    `${prefix}/v2/quote`,
    toHandler((ctx, account) => quoteV2(standIn, { account, host }, jsonOf(ctx))),
  );
  router.post(`${prefix}/v2/order/create`, create);
  router.get(
    `${prefix}/v2/order/status/:orderReferenceId`,
    toHandler((ctx, account) => showStatusV2(find(ctx, account, 'v2'))),
  );
  router.get(
    `${prefix}/v2/order/:orderReferenceId/address`,
    toHandler((ctx, account) => showAddress(find(ctx, account, 'v2'))),
  );
}

/**
 * Returns a handler that responds with the result of `act`. Errors have the earlier interface's format, which contains only `{message}`
 * (docs/rules/print-interface.md#error-body).
 */
function toHandler(act: (ctx: Context, account: string) => unknown): (ctx: Context) => void {
  return (ctx) => {
    try {
      ctx.body = act(ctx, authenticate(ctx));
    } catch (error) {
      const refusal = error instanceof Refusal ? error : new Refusal(500, 'internal_error', 'The stand-in failed.');
      const { status, code, message } = refusal;
      ctx.status = status;
      ctx.body = { message: code === 'invalid_request' ? `Invalid request body. ${message}` : message };
      if (refusal !== error) ctx.app.emit('error', error, ctx);
    }
  };
}

function referenceOf(ctx: Context): string {
  const params = ctx['params'] as Record<string, string>;
  return params['orderReferenceId'] ?? '';
}
