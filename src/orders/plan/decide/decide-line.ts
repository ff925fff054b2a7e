import type { ConnectionStatus } from '../../../database/entities/products.ts';
import type { HoldCode } from '../../facts/hold-codes.ts';
import type { DeletedVariant } from '../read/read-deleted-variants.ts';
import type { UnlinkedFact } from '../read/read-unlinked-facts.ts';
import type { StoreLineItem } from '../../facts/store-reading.ts';

export type LineDecision =
  | { decision: 'ours'; reason: null }
  | { decision: 'not_ours'; reason: string }
  | { decision: 'held'; reason: HoldCode };

export interface LineFacts {
  line: Pick<StoreLineItem, 'requiresShipping' | 'isGiftCard' | 'variant' | 'variantTitle' | 'vendor' | 'product'>;
  /** A line without a variant can use the print link of its SKU. */
  hasPrintLink: boolean;
  /** Null if the service has reported nothing about this variant. */
  connection: ConnectionStatus | null;
  /**
   * Whether the line has ever had a print order. If such a line no longer has a print link, Platen holds it and never silently leaves it to
   * others.
   */
  wasOurs: boolean;
  /** Whether the line is waiting at the location of Platen's fulfillment service. */
  atOurLocation: boolean;
  /** Evidence that the merchant ships a line without a print link, or that it should be printed. Null without evidence. */
  unlinked: UnlinkedFact | null;
  /** Whether the line is held as `not_linked`. Once the line has a link, someone must decide whether to print it. */
  wasAsked: boolean;
  /** Stored facts about the line's deleted variant, or null if the variant still exists. */
  deleted: DeletedVariant | null;
}

/** Used for a line without a variant if no facts about a deleted variant are stored. */
export const UNKNOWN_VARIANT: DeletedVariant = { variantId: null, connection: null, wasPrintable: false };

const OURS: LineDecision = { decision: 'ours', reason: null };
const notOurs = (reason: string): LineDecision => ({ decision: 'not_ours', reason });
const held = (reason: HoldCode): LineDecision => ({ decision: 'held', reason });

/**
 * Decides whether Platen prints a line (`ours`), leaves it to others or holds it (docs/rules/planning.md#which-lines). Platen never prints
 * gift cards, custom lines or lines that need no shipping.
 */
export function decideLine(facts: LineFacts): LineDecision {
  const { line, hasPrintLink, connection, wasOurs, atOurLocation, deleted, unlinked, wasAsked } = facts;
  if (line.isGiftCard) return notOurs('gift_card');
  if (deleted !== null && isCustom(line, deleted)) return notOurs('custom_line');
  if (!line.requiresShipping) return notOurs('needs_no_shipping');
  if (connection === 'ignored') return notOurs('ignored');
  if (connection === 'not_connected') return held('not_connected');
  if (hasPrintLink) return wasAsked && !atOurLocation ? held('not_linked') : OURS;
  const isToPrint = connection === 'connected' || wasOurs || atOurLocation || (deleted?.wasPrintable ?? false);
  if (isToPrint) return held(deleted === null ? 'no_print_link' : 'variant_deleted');
  if (unlinked === 'own') return notOurs('own');
  return unlinked === 'printed' || wasAsked ? held('not_linked') : notOurs('not_printed');
}

/**
 * Returns whether a line without a variant is a custom line, which never had a variant. The Admin API does not mark custom lines, but they
 * have no product, vendor or variant title. Platen does not print a custom line, even if someone entered a SKU for it
 * (docs/rules/planning.md#which-lines).
 */
function isCustom({ product, vendor, variantTitle }: LineFacts['line'], { variantId }: DeletedVariant): boolean {
  return [product, vendor, variantTitle, variantId].every((one) => one === null);
}
