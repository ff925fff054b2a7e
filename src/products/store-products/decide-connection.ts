import type { ConnectionStatus } from '../../database/entities/products.ts';

/** What one store product says of a variant of the shop. */
export interface Claim {
  /** The store product, by the service's id. */
  storeProductId: string;
  /** As the service says it. */
  status: string | null;
  /** The service has the store product no more. */
  isDeleted: boolean;
  /** The store product has the variant no more. */
  isRemoved: boolean;
  /** It was last read with another print key than the shop has now. */
  isOfOtherKey: boolean;
}

/** Why a variant is not connected. */
type DisconnectedReason = 'deleted_in_store' | 'not_connected_at_service' | 'removed_at_service' | 'deleted_at_service';

interface Connection {
  status: ConnectionStatus;
  storeProductId: string | null;
  reason: DisconnectedReason | null;
}

const GONE: DisconnectedReason = 'deleted_in_store';

/** Of several store products that name a variant, the first of these words that one of them says counts. */
const BY_WEIGHT = ['connected', 'ignored', 'not_connected'] as const;

/** What is known of a variant beside what store products say of it. */
interface Known {
  /** The shop has it no more. */
  isGone: boolean;
  /** The store product whose word its connection was; null: none's. */
  storeProductId: string | null;
  /** Why it was not connected. */
  reason: string | null;
}

/**
 * The connection of a variant by all store products that name it, the same in whatever order they were read. What the shop has no more
 * is not connected, whatever the service says; a store product that is gone counts only when none that lives names the variant.
 * What was read with another key, which nobody can read any more, counts only while nothing was with the present one. null: none
 * says a word that is known, and what was said before stands.
 */
export function decideConnection(all: readonly Claim[], known: Known): Connection | null {
  const ofKey = all.filter(({ isOfOtherKey }) => !isOfOtherKey);
  const claims = ofKey.length > 0 ? ofKey : all;
  const last = claims[0]?.storeProductId ?? known.storeProductId;
  if (known.isGone) return { status: 'not_connected', storeProductId: last, reason: GONE };
  const living = claims.filter(({ isDeleted, isRemoved }) => !isDeleted && !isRemoved);
  for (const status of BY_WEIGHT) {
    const claim = living.find((one) => one.status === status);
    if (!claim) continue;
    const reason = status === 'not_connected' ? 'not_connected_at_service' : null;
    return { status, storeProductId: claim.storeProductId, reason };
  }
  // It has a print link alone, and the shop shows it again.
  if (last === null && known.reason === GONE) return { status: 'connected', storeProductId: null, reason: null };
  // Nobody at the service ever spoke of it, or in words that are new.
  if (last === null || living.length > 0) return null;
  const reason = claims[0]?.isDeleted ? 'deleted_at_service' : 'removed_at_service';
  return { status: 'not_connected', storeProductId: last, reason };
}

const WORDS: Record<DisconnectedReason, string> = {
  deleted_in_store: 'The variant was deleted in your store. Nothing can be ordered of it any more.',
  not_connected_at_service:
    'The print service has it as not connected. Connect it there, or mark it there as ignored if it is not printed.',
  removed_at_service:
    'The product at the print service no longer has this variant. Add it there again, or connect the variant to another product there.',
  deleted_at_service:
    'Its product was deleted at the print service. Make and connect it there again, or take the variant out of sale.',
};

/** What happened to a variant that is not connected, and what to do about it. */
export function describeReason(reason: string | null): string {
  return reason !== null && Object.hasOwn(WORDS, reason)
    ? WORDS[reason as DisconnectedReason]
    : 'It is not connected to a product at the print service. Connect it there, or mark it there as ignored.';
}
