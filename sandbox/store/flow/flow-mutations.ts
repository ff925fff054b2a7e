import { runMutation, UserError } from '../graphql/run-mutation.ts';
import type { View } from '../graphql/view.ts';
import type { Views } from '../graphql/views.ts';
import { isEnabled, type ReceivedTrigger } from './flow-state.ts';
import { findPayloadProblems, readFlowExtensions } from './read-flow-extensions.ts';

interface TriggerArguments {
  handle?: string | null;
  payload?: unknown;
}

const MAX_BYTES = 50_000;

/** Returns the mutation with which an app starts workflows in Shopify Flow. Flow also accepts a trigger that starts no workflow. */
export function flowMutations({ store, shop }: Views): View {
  return {
    flowTriggerReceive: ({ handle, payload }: TriggerArguments) =>
      runMutation([], () => {
        if (!handle || !isObject(payload))
          throw new UserError(['handle'], '`handle` and `payload` arguments are required');
        if (Buffer.byteLength(JSON.stringify(payload)) > MAX_BYTES)
          throw refuse([`Properties size exceeds the limit of ${MAX_BYTES} bytes.`]);
        const trigger = readFlowExtensions().triggers.find((one) => one.handle === handle);
        if (!trigger) throw refuse([`Invalid handle '${handle}'.`]);
        const problems = findPayloadProblems(trigger, payload);
        if (problems.length > 0) throw refuse(problems);
        const id = store.newGid('FlowTriggerReceipt');
        const started = isEnabled(store, shop.domain, handle);
        const received: ReceivedTrigger = {
          shop: shop.domain,
          handle,
          payload,
          started,
          at: store.clock.now().toISOString(),
        };
        store.write([['put', 'flowTriggers', id, received]]);
        return {};
      }),
  };
}

function refuse(problems: readonly string[]): UserError {
  return new UserError(['body'], `Errors validating schema:\n${problems.map((one) => `  ${one}\n`).join('')}`);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
