import { createHmac, randomUUID } from 'node:crypto';
import type Router from '@koa/router';
import { request } from 'undici';
import { z } from 'zod';
import { jsonOf } from '../../json-body.ts';
import { parseOrRefuse, Refusal } from '../../refusal.ts';
import { toNumericId } from '../graphql/gid.ts';
import { findShop } from '../shop/find-shop.ts';
import type { Shop } from '../state.ts';
import type { Store } from '../store.ts';
import { toWorkflowChange, type ReceivedTrigger } from './flow-state.ts';
import { findPayloadProblems, readFlowExtensions } from './read-flow-extensions.ts';

/** How long Flow waits for a response. */
const TIMEOUT_MS = 10_000;

const shopField = z.string().default('demo.myshopify.com');
const workflowSchema = z.strictObject({ shop: shopField, trigger: z.string(), enabled: z.boolean() });
const runSchema = z.strictObject({
  shop: shopField,
  action: z.string(),
  properties: z.record(z.string(), z.unknown()),
  /** The same for all attempts of one run. */
  runId: z.string().min(1).optional(),
});

/** Adds the endpoints that enable workflows in Shopify Flow, run actions and list the triggers that the app has sent. */
export function addFlowEndpoints(router: Router, store: Store): void {
  router.get('/flow/triggers', (ctx) => {
    const { shop } = ctx.query;
    const all = store.books.all<ReceivedTrigger>('flowTriggers');
    ctx.body = typeof shop === 'string' ? all.filter((one) => one.shop === findShop(store, shop).domain) : all;
  });
  router.post('/flow/workflows', async (ctx) => {
    const { shop: named, trigger: handle, enabled } = parseOrRefuse(workflowSchema, jsonOf(ctx));
    const shop = findShop(store, named);
    const { triggers, callbackPath } = readFlowExtensions();
    const trigger = triggers.find((one) => one.handle === handle);
    if (!trigger) throw new Refusal(404, 'not_found', `The app has no trigger ${handle}.`);
    const { status } = await post(store, callbackPath, {
      flow_trigger_definition_id: trigger.name,
      has_enabled_flow: enabled,
      shop_id: Number(toNumericId(shop.id)),
      shopify_domain: shop.domain,
      timestamp: store.clock.now().toISOString(),
    });
    if (status === null || status < 200 || status > 299)
      throw new Refusal(
        409,
        'not_enabled',
        `The app responded with ${status ?? 'nothing'}, so the workflow was not changed.`,
      );
    store.write([toWorkflowChange(shop.domain, handle, enabled)]);
    ctx.body = { shop: shop.domain, trigger: handle, enabled };
  });
  router.post('/flow/actions', async (ctx) => {
    const { shop: named, runId = randomUUID(), ...input } = parseOrRefuse(runSchema, jsonOf(ctx));
    ctx.body = { runId, ...(await runAction(store, findShop(store, named), { ...input, runId })) };
  });
}

async function runAction(
  store: Store,
  shop: Shop,
  { action: handle, properties, runId }: Pick<z.output<typeof runSchema>, 'action' | 'properties'> & { runId: string },
): Promise<Response> {
  const action = readFlowExtensions().actions.find((one) => one.handle === handle);
  if (!action) throw new Refusal(404, 'not_found', `The app has no action ${handle}.`);
  const [problem] = findPayloadProblems(action, properties);
  if (problem !== undefined) throw new Refusal(400, 'invalid_request', problem);
  return post(store, action.runtime_url, {
    shop_id: toNumericId(shop.id),
    shopify_domain: shop.domain,
    action_run_id: runId,
    action_definition_id: action.name,
    handle,
    properties,
  });
}

interface Response {
  /** Null if no response arrived in time. */
  status: number | null;
  body: unknown;
}

/** Sends a request to the app as Flow does, signed over the bytes of its body. */
async function post({ clock, options }: Store, path: string, content: Record<string, unknown>): Promise<Response> {
  const body = JSON.stringify(content);
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Shopify-Flow',
    'x-shopify-hmac-sha256': createHmac('sha256', options.apiSecret).update(body).digest('base64'),
  };
  try {
    const url = new URL(path, options.appUrl);
    const answer = await request(url, { method: 'POST', headers, body, signal: clock.timeout(TIMEOUT_MS) });
    return { status: answer.statusCode, body: await answer.body.json().catch(() => null) };
  } catch {
    return { status: null, body: null };
  }
}
