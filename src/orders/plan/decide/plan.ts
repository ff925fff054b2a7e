import type { StorefrontOrder } from '../../../database/entities/orders.ts';
import type { ConnectionStatus, PrintLink } from '../../../database/entities/products.ts';
import type { FulfillmentOrderRejectionReason } from '../../../shopify/calls/fulfillment-requests.ts';
import type { Settings } from '../../../shops/settings/settings.ts';
import type { CountedPrint } from './count-to-print.ts';
import type { LineDecision } from './decide-line.ts';
import type { DeletedVariant } from '../read-deleted-variants.ts';
import type { UnlinkedFact } from '../read-unlinked.ts';
import type { FitAddressResult } from '../../address/fit-address.ts';
import type { OutcomeReason } from '../../facts/outcome-reasons.ts';
import type { StoreReading } from '../../facts/store-reading.ts';

/** All that a plan is made from. Nothing here is looked up: the same input makes the same plan. */
export interface PlanInput {
  order: StoreReading;
  shop: {
    locationId: string | null;
    takesOrdersFrom: Date;
    hasPrintAccount: boolean;
    anotherAppPrints: boolean;
    timeZone: string | null;
  };
  /** What a person said of the order, and when what waits of it is released. */
  said: Pick<
    StorefrontOrder,
    'approvedAt' | 'approvedTotal' | 'approvedUnits' | 'heldAt' | 'cancelAskedAt' | 'releaseAt'
  >;
  settings: Settings;
  /** By variant; of a line whose variant the store has no more by LineItem: the link of its SKU. */
  links: ReadonlyMap<string, PrintLink>;
  connections: ReadonlyMap<string, ConnectionStatus>;
  /** What is kept of the variants that lines had, by LineItem, where the store has none of them any more. */
  deletedVariants: ReadonlyMap<string, DeletedVariant>;
  /** LineItems that were decided to be not ours: that stands until a person plans them again. */
  notOurs: ReadonlyMap<string, string>;
  /** What is known of lines without a print link and a connection, by LineItem. */
  unlinked: ReadonlyMap<string, UnlinkedFact>;
  /** LineItems that are held as not linked. */
  asked: ReadonlySet<string>;
  /** LineItems of which a print order was made before, of whatever has become of it. */
  wasOurs: ReadonlySet<string>;
  /** What the setting `printFileProperty` has named since the order was placed, and names no more. */
  formerFileProperties: readonly string[];
  /** Print orders that count, per LineItem. */
  prints: readonly PlannedPrint[];
  /** Units per LineItem and fulfillment order whose fulfilment Platen asked for already. */
  requested: ReadonlyMap<string, Record<string, number>>;
  /** A person's word that fulfilment is requested once more, though it was rejected or cancelled. */
  asksAgain: boolean;
  /** The buyer's address as the service takes it, or why it does not fit; null: the order has none. */
  recipient: FitAddressResult | null;
  now: Date;
}

/** What a print order that counts stands for. */
interface PlannedPrint extends CountedPrint {
  shopifyLineItemId: string;
  /** The fulfillment order that it was planned for; null when that is forgotten. */
  shopifyFulfillmentOrderId: string | null;
  /** Whether another may still take its place there. */
  isReplaceable: boolean;
  /** A draft that a person has changed at the service: nothing takes its place, and it is not sent to print yet. */
  isEditedDraft?: boolean;
  /** Nothing more comes of it: it is fulfilled, or it failed or was canceled at the service. */
  isEnded?: boolean;
  /** False: the shop has removed Platen since, and come back. */
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
  /** null: its variant is deleted, and its id was never kept. */
  shopifyVariantId: string | null;
  sku: string | null;
  productUid: string;
  fileUrl: string | null;
  /** The file came with the line: personal data. */
  isOwnFile: boolean;
  pageCount: number | null;
  envelopeProductUid: string | null;
  envelopeQuantity: number | null;
  quantity: number;
  fulfilledBefore: number;
}

/** Shopify's reason for a rejected request, with words for the merchant. */
export interface PlannedRejection {
  shopifyFulfillmentOrderId: string;
  reason: FulfillmentOrderRejectionReason;
  message: string;
}

/** What a request to cancel a fulfilment is answered, once every print order of it is proven gone or one cannot be stopped. */
export interface PlannedCancellation {
  shopifyFulfillmentOrderId: string;
  answer: 'accept' | 'reject' | 'wait';
  message: string;
  /** The print orders that it is about. */
  printOrderIds: string[];
}

export interface Plan {
  outcome: 'waiting' | 'nothing_to_do' | 'planned';
  reason: OutcomeReason | null;
  /** When time alone may change the plan. */
  lookAgainAt: Date | null;
  /** When what waits for the day's release goes to print; null: nothing waits for it, or all of it was sent. */
  releaseAt: Date | null;
  lines: PlannedLine[];
  holds: PlannedHold[];
  /** Fulfillment orders whose request is to be submitted, with the units asked for. */
  requests: { shopifyFulfillmentOrderId: string; units: { shopifyLineItemId: string; quantity: number }[] }[];
  /** Fulfillment orders whose request is to be accepted. */
  accepts: string[];
  /** Fulfillment orders whose request is to be rejected, since a person must mend something first. */
  rejections: PlannedRejection[];
  /** Fulfillment orders of ours of which the merchant asks to cancel the fulfilment. */
  cancellations: PlannedCancellation[];
  /** Fulfillment orders that wait for the store, the merchant or time. */
  waits: { shopifyFulfillmentOrderId: string; reason: OutcomeReason }[];
  /** What is to be printed for each fulfillment order, the replaceable print orders of it not counted. */
  wanted: { shopifyFulfillmentOrderId: string; items: PlannedItem[] }[];
  /** Units of each LineItem left to print where Platen fulfils, beside what else counts, for drafts that go as a person made them. */
  leftForDrafts: ReadonlyMap<string, number>;
}
