import type { StorefrontOrder } from '../../../database/entities/orders.ts';
import type { ConnectionStatus, PrintLink } from '../../../database/entities/products.ts';
import type { FulfillmentOrderRejectionReason } from '../../../shopify/calls/fulfillment-requests.ts';
import type { Settings } from '../../../shops/settings/settings.ts';
import type { CountedPrint } from './count-to-print.ts';
import type { LineDecision } from './decide-line.ts';
import type { DeletedVariant } from '../read/read-deleted-variants.ts';
import type { UnlinkedFact } from '../read/read-unlinked-facts.ts';
import type { FitAddressResult } from '../../address/fit-address.ts';
import type { OutcomeReason } from '../../facts/outcome-reasons.ts';
import type { StoreReading } from '../../facts/store-reading.ts';

/** Everything that determines a plan. The same input always gives the same plan. */
export interface PlanInput {
  order: StoreReading;
  shop: {
    locationId: string | null;
    formerLocationIds: readonly string[];
    takesOrdersFrom: Date;
    hasPrintAccount: boolean;
    anotherAppPrints: boolean;
    timeZone: string | null;
  };
  /** Decisions that someone made by hand, and the time at which waiting units are released. */
  decisions: Pick<
    StorefrontOrder,
    'approvedAt' | 'approvedTotal' | 'approvedUnits' | 'heldAt' | 'cancelAskedAt' | 'releaseAt' | 'addressCorrectedAt'
  >;
  settings: Settings;
  /** Print links by variant ID. For a line whose variant was deleted, the link of the line's SKU, by LineItem ID. */
  links: ReadonlyMap<string, PrintLink>;
  connections: ReadonlyMap<string, ConnectionStatus>;
  /** Stored facts about deleted variants, by LineItem. */
  deletedVariants: ReadonlyMap<string, DeletedVariant>;
  /** The reason for each LineItem that was decided as `not_ours`. This decision is final until someone retries the order. */
  notOurs: ReadonlyMap<string, string>;
  /** Evidence about lines without a print link or connection, by LineItem. */
  unlinked: ReadonlyMap<string, UnlinkedFact>;
  /** LineItems that are held as `not_linked`. */
  asked: ReadonlySet<string>;
  /** LineItems that have ever had a print order, whatever its state is now. */
  wasOurs: ReadonlySet<string>;
  /** Earlier values of the setting `printFileProperty` that were in effect when the order was placed or later. */
  formerFileProperties: readonly string[];
  /** Print orders that count as printed, by LineItem. */
  prints: readonly PlannedPrint[];
  /** Whether the print service has an order for this one whose units are unknown, and nobody has resolved its hold. */
  hasUnknownOrder: boolean;
  /** Units for which Platen has already requested fulfillment, by LineItem and fulfillment order. */
  requested: ReadonlyMap<string, Record<string, number>>;
  /** Whether someone chose to request fulfillment again after it was rejected or canceled. */
  canRequestAgain: boolean;
  /** The buyer's address in the form that the service accepts, or why it cannot be sent. Null if the order has no address. */
  recipient: FitAddressResult | null;
  now: Date;
}

/** Units of a LineItem in a print order that counts as printed. */
interface PlannedPrint extends CountedPrint {
  shopifyLineItemId: string;
  /** The fulfillment order for which the print order was planned, or null if it is no longer known. */
  shopifyFulfillmentOrderId: string | null;
  /** Whether another print order may still replace this print order. */
  isReplaceable: boolean;
  /** Whether the print order is a draft edited at the service, which is not replaced and has not been sent to print yet. */
  isEditedDraft?: boolean;
  /** Whether the print order is fulfilled, failed or canceled. */
  isEnded?: boolean;
  /** Whether only the printed quantity is known, because the print order's rows were deleted with the shop's data. */
  isForgotten?: boolean;
  /** False if Platen has been reinstalled in the shop since the print order was created. */
  isOfThisInstall: boolean;
}

export interface PlannedLine {
  shopifyLineItemId: string;
  shopifyVariantId: string | null;
  /** Null if the product was deleted, or if the line never had a product. */
  shopifyProductId: string | null;
  sku: string | null;
  decision: LineDecision['decision'];
  reason: string | null;
  orderedQuantity: number;
  fulfilledQuantity: number;
}

export interface PlannedHold {
  code: string;
  field: string | null;
  message: string;
  shopifyFulfillmentOrderId: string | null;
  shopifyLineItemId: string | null;
}

export interface PlannedItem {
  shopifyLineItemId: string;
  /** Null if the variant was deleted and its ID was never recorded. */
  shopifyVariantId: string | null;
  sku: string | null;
  productUid: string;
  fileUrl: string | null;
  /** Whether the file came with the line and is therefore personal data. */
  isOwnFile: boolean;
  pageCount: number | null;
  envelopeProductUid: string | null;
  envelopeQuantity: number | null;
  quantity: number;
  fulfilledBefore: number;
}

/** Shopify's reason for rejecting a request, with a message for the merchant. */
export interface PlannedRejection {
  shopifyFulfillmentOrderId: string;
  reason: FulfillmentOrderRejectionReason;
  message: string;
}

/** The answer to a cancellation request. */
export interface PlannedCancellation {
  shopifyFulfillmentOrderId: string;
  answer: 'accept' | 'reject' | 'wait';
  message: string;
  /** Print orders that the request covers. */
  printOrderIds: string[];
}

export interface Plan {
  outcome: 'waiting' | 'nothing_to_do' | 'planned';
  reason: OutcomeReason | null;
  /** When to plan the order again because time alone may change the plan. */
  replanAt: Date | null;
  /** When the units waiting for the daily release go to print. Null if none are waiting. */
  releaseAt: Date | null;
  lines: PlannedLine[];
  holds: PlannedHold[];
  /** Fulfillment requests to submit, with the requested units. */
  requests: { shopifyFulfillmentOrderId: string; units: { shopifyLineItemId: string; quantity: number }[] }[];
  /** Fulfillment orders whose requests Platen accepts. */
  accepts: string[];
  /** Fulfillment requests to reject because someone must fix a problem first. */
  rejections: PlannedRejection[];
  /** Answers to the merchant's requests to cancel fulfillment orders at Platen's location. */
  cancellations: PlannedCancellation[];
  /** Fulfillment orders that are waiting for the store, the merchant or a time. */
  waits: { shopifyFulfillmentOrderId: string; reason: OutcomeReason }[];
  /** Items to print for each fulfillment order. Replaceable print orders are ignored, so their units are included. */
  wanted: { shopifyFulfillmentOrderId: string; items: PlannedItem[] }[];
  /** For drafts whose edits were accepted: each LineItem's units left to print where Platen fulfills. */
  remainingForDrafts: ReadonlyMap<string, number>;
}
