import type { StorefrontOrder } from '../../../database/entities/orders.ts';
import type { ConnectionStatus, PrintLink } from '../../../database/entities/products.ts';
import type { FulfillmentOrderRejectionReason } from '../../../shopify/calls/fulfillment-requests.ts';
import type { Settings } from '../../../shops/settings/settings.ts';
import type { CountedPrint } from './count-to-print.ts';
import type { LineDecision } from './decide-line.ts';
import type { DeletedVariant } from '../read/read-deleted-variants.ts';
import type { UnlinkedFact } from '../read/read-unlinked.ts';
import type { FitAddressResult } from '../../address/fit-address.ts';
import type { OutcomeReason } from '../../facts/outcome-reasons.ts';
import type { StoreReading } from '../../facts/store-reading.ts';

/** Everything that a plan is made from. The same input always gives the same plan. */
export interface PlanInput {
  order: StoreReading;
  shop: {
    locationId: string | null;
    takesOrdersFrom: Date;
    hasPrintAccount: boolean;
    anotherAppPrints: boolean;
    timeZone: string | null;
  };
  /** Decisions made by hand, and when waiting units are released. */
  said: Pick<
    StorefrontOrder,
    'approvedAt' | 'approvedTotal' | 'approvedUnits' | 'heldAt' | 'cancelAskedAt' | 'releaseAt'
  >;
  settings: Settings;
  /** By variant; by LineItem (the link of its SKU) if the store no longer has the variant. */
  links: ReadonlyMap<string, PrintLink>;
  connections: ReadonlyMap<string, ConnectionStatus>;
  /** Facts kept about deleted variants, by LineItem. */
  deletedVariants: ReadonlyMap<string, DeletedVariant>;
  /** LineItems decided as not ours: final until someone has them planned again. */
  notOurs: ReadonlyMap<string, string>;
  /** Evidence about lines without a print link or connection, by LineItem. */
  unlinked: ReadonlyMap<string, UnlinkedFact>;
  /** LineItems that are held as not linked. */
  asked: ReadonlySet<string>;
  /** LineItems that ever had a print order, whatever became of it. */
  wasOurs: ReadonlySet<string>;
  /** Properties that the setting `printFileProperty` named since the order was placed, without the current one. */
  formerFileProperties: readonly string[];
  /** Print orders that count, per LineItem. */
  prints: readonly PlannedPrint[];
  /** Units per LineItem and fulfillment order for which Platen already requested fulfillment. */
  requested: ReadonlyMap<string, Record<string, number>>;
  /** Someone asked to request fulfillment once more, although it was rejected or canceled. */
  asksAgain: boolean;
  /** The buyer's address as the service accepts it, or why it does not fit; null: the order has no address. */
  recipient: FitAddressResult | null;
  now: Date;
}

/** Units of a LineItem in a print order that counts. */
interface PlannedPrint extends CountedPrint {
  shopifyLineItemId: string;
  /** The fulfillment order that it was planned for; null: no longer known. */
  shopifyFulfillmentOrderId: string | null;
  /** Whether another print order may still replace it. */
  isReplaceable: boolean;
  /** A draft edited at the service: it is not replaced, and not sent to print yet. */
  isEditedDraft?: boolean;
  /** It is fulfilled, failed or canceled at the service: nothing more follows. */
  isEnded?: boolean;
  /** False: Platen was removed from the shop and installed again since. */
  isOfThisInstall: boolean;
}

export interface PlannedLine {
  shopifyLineItemId: string;
  shopifyVariantId: string | null;
  /** null: the store has deleted it, or the line never had one. */
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
  /** null: its variant is deleted, and the id was never recorded. */
  shopifyVariantId: string | null;
  sku: string | null;
  productUid: string;
  fileUrl: string | null;
  /** The file came with the line, so it is personal data. */
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

/** The answer to a request to cancel a fulfillment. */
export interface PlannedCancellation {
  shopifyFulfillmentOrderId: string;
  answer: 'accept' | 'reject' | 'wait';
  message: string;
  /** The print orders that it covers. */
  printOrderIds: string[];
}

export interface Plan {
  outcome: 'waiting' | 'nothing_to_do' | 'planned';
  reason: OutcomeReason | null;
  /** When time alone may change the plan. */
  lookAgainAt: Date | null;
  /** When units waiting for the daily release go to print; null: no units wait, or all were sent. */
  releaseAt: Date | null;
  lines: PlannedLine[];
  holds: PlannedHold[];
  /** Fulfillment orders whose request is to be submitted, with the requested units. */
  requests: { shopifyFulfillmentOrderId: string; units: { shopifyLineItemId: string; quantity: number }[] }[];
  /** Fulfillment orders whose request is to be accepted. */
  accepts: string[];
  /** Requests to reject because someone must fix something first. */
  rejections: PlannedRejection[];
  /** Our fulfillment orders that the merchant asked to cancel. */
  cancellations: PlannedCancellation[];
  /** Fulfillment orders that wait for the store, the merchant or time. */
  waits: { shopifyFulfillmentOrderId: string; reason: OutcomeReason }[];
  /** Items to print for each fulfillment order, without counting its replaceable print orders. */
  wanted: { shopifyFulfillmentOrderId: string; items: PlannedItem[] }[];
  /** Units of each LineItem left to print where Platen fulfills, for drafts whose edits were accepted. */
  leftForDrafts: ReadonlyMap<string, number>;
}
