import type { Change } from '../../books.ts';
import type { Store } from '../store.ts';

/** A trigger that the app has sent. */
export interface ReceivedTrigger {
  shop: string;
  handle: string;
  payload: Record<string, unknown>;
  /** Whether the shop had an enabled workflow that starts with the trigger. */
  started: boolean;
  at: string;
}

/** Returns whether a shop has an enabled workflow that starts with the trigger. */
export function isEnabled(store: Store, shop: string, trigger: string): boolean {
  return store.books.get<boolean>('workflows', toId(shop, trigger)) ?? false;
}

export function toWorkflowChange(shop: string, trigger: string, enabled: boolean): Change {
  return ['put', 'workflows', toId(shop, trigger), enabled];
}

function toId(shop: string, trigger: string): string {
  return `${shop} ${trigger}`;
}
