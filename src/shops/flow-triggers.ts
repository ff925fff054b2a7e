import type { App } from '../app.ts';
import type { Shop } from '../database/entities/shops.ts';
import { findShopByDomain } from './find-shop.ts';

/** The handles of Platen's triggers in Shopify Flow (`extensions/flow`). */
const handles = ['print-order-needs-attention', 'print-order-sent', 'package-shipped', 'print-order-refused'] as const;
export type FlowTrigger = (typeof handles)[number];

/** Shopify's message about whether a shop has an enabled workflow that starts with a trigger. */
export interface TriggerUse {
  shop: string;
  /** Shopify's ID for the trigger. */
  trigger: string;
  isUsed: boolean;
  at: Date;
}

/**
 * Records whether a shop uses a trigger. A message that is older than the last one changes nothing. Throws NotFoundError if nobody has
 * opened Platen in the shop yet. In that case, the merchant cannot enable the workflow yet, and no trigger is lost.
 */
export async function saveTriggerUse(app: App, { shop: domain, trigger, isUsed, at }: TriggerUse): Promise<void> {
  const { id } = await findShopByDomain(app, domain);
  await app.db.query(
    `update shops set flow_triggers = flow_triggers || jsonb_build_object($2::text, jsonb_build_object('at', $3::text,
       'since', case when $4 then coalesce(flow_triggers -> $2 ->> 'since', $5) end))
     where id = $1 and coalesce((flow_triggers -> $2 ->> 'at')::timestamptz < ($3::text)::timestamptz, true)`,
    [id, trigger, at.toISOString(), isUsed, app.clock.now().toISOString()],
  );
}

/**
 * Returns when a shop began to use a trigger, or null if it does not use the trigger. Earlier events do not start the trigger. Shopify does
 * not document whether its ID is the trigger's handle or name. Any other ID counts for every trigger, because Flow ignores a trigger that
 * starts no workflow.
 */
export function usedSince({ flowTriggers }: Pick<Shop, 'flowTriggers'>, handle: FlowTrigger): Date | null {
  const times = Object.entries(flowTriggers).flatMap(([id, { since }]) => {
    const known = toHandle(id);
    return since !== null && (known === null || known === handle) ? [Date.parse(since)] : [];
  });
  return times.length === 0 ? null : new Date(Math.min(...times));
}

/** Returns whether a shop uses any trigger. */
export function usesFlow({ flowTriggers }: Pick<Shop, 'flowTriggers'>): boolean {
  return Object.values(flowTriggers).some(({ since }) => since !== null);
}

function toHandle(id: string): FlowTrigger | null {
  const slug = id.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  return handles.find((handle) => handle === slug) ?? null;
}
