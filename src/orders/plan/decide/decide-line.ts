import type { ConnectionStatus } from '../../../database/entities/products.ts';
import type { HoldCode } from '../../facts/hold-codes.ts';
import type { DeletedVariant } from '../read-deleted-variants.ts';
import type { UnlinkedFact } from '../read-unlinked.ts';
import type { StoreLineItem } from '../../facts/store-reading.ts';

export type LineDecision =
  | { decision: 'ours'; reason: null }
  | { decision: 'not_ours'; reason: string }
  | { decision: 'held'; reason: HoldCode };

export interface LineFacts {
  line: Pick<StoreLineItem, 'requiresShipping' | 'isGiftCard' | 'variant' | 'variantTitle' | 'vendor' | 'product'>;
  /** Without a variant: whether there is one for its SKU. */
  hasPrintLink: boolean;
  /** null: the service has said nothing about this variant. */
  connection: ConnectionStatus | null;
  /** An earlier plan had it printed: it waits for a print link, and is nobody else's in silence. */
  wasOurs: boolean;
  /** Whether the line waits at the location of our own fulfilment service. */
  atOurLocation: boolean;
  /** What is known of it without a print link, where the merchant ships it; null: nothing. */
  unlinked: UnlinkedFact | null;
  /** It is held as not linked: once it has a link a person says whether it is printed. */
  wasAsked: boolean;
  /** What is kept of the variant that a line without one had; null: it has one. */
  deleted: DeletedVariant | null;
}

/** Nothing is kept of the variant that a line may have had. */
export const UNKNOWN_VARIANT: DeletedVariant = { variantId: null, connection: null, wasPrintable: false };

const OURS: LineDecision = { decision: 'ours', reason: null };
const notOurs = (reason: string): LineDecision => ({ decision: 'not_ours', reason });
const held = (reason: HoldCode): LineDecision => ({ decision: 'held', reason });

/** Whose a line is (design, "Which lines"): gift cards, custom lines and what needs no shipping never are ours; then the table. */
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
 * Whether a line without a variant never had one. The Admin API has no word for it: a custom line has no product, vendor or title of a
 * variant. Somebody may have typed a SKU into it: it is not ours all the same (design, "Which lines").
 */
function isCustom({ product, vendor, variantTitle }: LineFacts['line'], { variantId }: DeletedVariant): boolean {
  return [product, vendor, variantTitle, variantId].every((one) => one === null);
}
