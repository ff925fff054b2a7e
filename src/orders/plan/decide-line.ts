import type { ConnectionStatus } from '../../database/products.ts';
import type { HoldCode } from '../hold-codes.ts';
import type { StoreLineItem } from './store-reading.ts';

export type LineDecision =
  | { decision: 'ours'; reason: null }
  | { decision: 'not_ours'; reason: string }
  | { decision: 'held'; reason: HoldCode };

export interface LineFacts {
  line: Pick<StoreLineItem, 'requiresShipping' | 'isGiftCard' | 'variant'>;
  hasPrintLink: boolean;
  /** null: the service has said nothing about this variant. */
  connection: ConnectionStatus | null;
  /** Whether the line waits at the location of our own fulfilment service. */
  atOurLocation: boolean;
}

const OURS: LineDecision = { decision: 'ours', reason: null };
const notOurs = (reason: string): LineDecision => ({ decision: 'not_ours', reason });
const held = (reason: HoldCode): LineDecision => ({ decision: 'held', reason });

/** Whose a line is (design, "Which lines"): gift cards, custom lines and what needs no shipping never are ours; then the table. */
export function decideLine({ line, hasPrintLink, connection, atOurLocation }: LineFacts): LineDecision {
  if (line.isGiftCard) return notOurs('gift_card');
  if (line.variant === null) return notOurs('custom_line');
  if (!line.requiresShipping) return notOurs('needs_no_shipping');
  if (connection === 'ignored') return notOurs('ignored');
  if (connection === 'not_connected') return held('not_connected');
  if (hasPrintLink) return OURS;
  if (connection === 'connected' || atOurLocation) return held('no_print_link');
  return notOurs('not_printed');
}
