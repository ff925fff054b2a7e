import type { ConnectionStatus } from '../../database/entities/products.ts';

/** A store product's claim about one of the shop's variants. */
export interface Claim {
  /** The service's ID for the store product. */
  storeProductId: string;
  /** The service's own status. */
  status: string | null;
  /** Whether the service no longer has the store product. */
  isDeleted: boolean;
  /** Whether the store product no longer has the variant. */
  isRemoved: boolean;
  /** Whether the store product was last read with a print key that the shop no longer uses. */
  isOfOtherKey: boolean;
}

/** Why a variant is not connected. */
type DisconnectedReason = 'deleted_in_store' | 'not_connected_at_service' | 'removed_at_service' | 'deleted_at_service';

interface Connection {
  status: ConnectionStatus;
  storeProductId: string | null;
  reason: DisconnectedReason | null;
}

const DELETED_IN_STORE: DisconnectedReason = 'deleted_in_store';

/** If several store products name a variant, the first status in this list that any of them has applies. */
const BY_PRECEDENCE = ['connected', 'ignored', 'not_connected'] as const;

/** The known facts about a variant other than the claims of store products. */
interface KnownConnection {
  /** Whether the shop no longer has the variant. */
  isGone: boolean;
  /** The store product that determined the variant's connection, or null. */
  storeProductId: string | null;
  /** Why the variant was not connected. */
  reason: string | null;
}

/**
 * Decides a variant's connection from all store products that name the variant, independent of the order in which they were read. A
 * variant that the shop no longer has is not connected, whatever the service reports. A deleted store product counts only if no existing
 * store product names the variant. Claims read with an earlier key, which can no longer be read, count only if there are no claims from
 * the current key. Returns null if no claim has a known status. The connection then stays unchanged.
 */
export function decideConnection(all: readonly Claim[], known: KnownConnection): Connection | null {
  const ofKey = all.filter(({ isOfOtherKey }) => !isOfOtherKey);
  const claims = ofKey.length > 0 ? ofKey : all;
  const last = claims[0]?.storeProductId ?? known.storeProductId;
  if (known.isGone) return { status: 'not_connected', storeProductId: last, reason: DELETED_IN_STORE };
  const living = claims.filter(({ isDeleted, isRemoved }) => !isDeleted && !isRemoved);
  for (const status of BY_PRECEDENCE) {
    const claim = living.find((one) => one.status === status);
    if (!claim) continue;
    const reason = status === 'not_connected' ? 'not_connected_at_service' : null;
    return { status, storeProductId: claim.storeProductId, reason };
  }
  // The variant has only a print link, and the shop shows it again.
  if (last === null && known.reason === DELETED_IN_STORE)
    return { status: 'connected', storeProductId: null, reason: null };
  // No store product has ever named the variant, or only with an unknown status.
  if (last === null || living.length > 0) return null;
  const reason = claims[0]?.isDeleted ? 'deleted_at_service' : 'removed_at_service';
  return { status: 'not_connected', storeProductId: last, reason };
}

const MESSAGES: Record<DisconnectedReason, string> = {
  deleted_in_store: 'The variant was deleted in your store. It can no longer be ordered.',
  not_connected_at_service:
    'The print service shows the variant as not connected. Connect it there, or mark it there as ignored if it is not printed.',
  removed_at_service:
    'The product at the print service no longer has this variant. Add the variant there again, or connect it to another product there.',
  deleted_at_service:
    "The variant's product was deleted at the print service. Create and connect the product there again, or stop selling the variant.",
};

/** Describes the reason why a variant is not connected, with its remedy. */
export function describeReason(reason: string | null): string {
  return reason !== null && Object.hasOwn(MESSAGES, reason)
    ? MESSAGES[reason as DisconnectedReason]
    : 'The variant is not connected to a product at the print service. Connect it there, or mark it there as ignored.';
}
