import { ADDRESS_REMEDIES } from '../address/address-hold.ts';

/** Every reason for which something waits for a person, with what that person can do. */
const REMEDIES = {
  ...ADDRESS_REMEDIES,
  no_print_account:
    'Enter the key of your print account in the settings (printKey). The order goes on by itself once the key is set.',
  print_account_refused:
    'The print service refused the key. Check that it is still valid and enter it again (printKey); orders go on by themselves when it works.',
  print_account_changed:
    'This order was begun with another print account. Enter the key of that account again, or cancel the order there and choose "print again".',
  needs_approval:
    'Look at the order and approve it ("platen orders approve"), or cancel its printing ("platen orders cancel"). Which orders wait is set by release and approvalRules.',
  held_by_hand: 'Somebody put this order on hold here. It goes to print once it is approved ("platen orders approve").',
  high_risk:
    'Look at the fraud analysis of the order in your store. Approve it here ("platen orders approve") if you trust it; else cancel and refund it in your store.',
  no_print_link:
    'Link the variant to a print product and its print file ("platen links set", or "platen links import" for many at once). What is held for it is then planned again by itself.',
  not_linked:
    'Link the variant to a print product ("platen links set"). Then print the orders that wait for the link, or leave them ("platen links print", "platen links leave", or the page of the app). If you ship this product yourself, say so once ("platen links own"): Platen does not ask again.',
  print_file_refused:
    'Look at the property of that line, or of its bundle, in the order in your store. If only the host of a sound file is not allowed, allow it ("platen shops set printFileHosts=… --shop SHOP"): the order resumes automatically. Otherwise place a new order with a sound file on the line, and remove the line from this order or fulfill it by hand.',
  variant_deleted:
    'The variant was deleted in your store, so nothing says any more what is printed. Give its SKU a print link ("platen links set sku:…"): the order then goes on by itself. If it is not to be printed, fulfil the line by hand in your store or take it out of the order.',
  not_connected:
    'Connect the variant to its product in the dashboard of the print service, or mark it there as ignored if it is not printed: the order goes on by itself then. "platen products list", or the page of the app in your store, tells which product it is and why.',
  no_address: 'Add a shipping address to the order in your store.',
  pickup_point: 'Change the delivery to a postal address, or fulfil this order by hand.',
  another_app_prints:
    'Another app connected to the same print account already prints orders of this store. Disconnect one of the two, then allow this one.',
  quote_refused:
    'Mend the field that the print service names (in the order, the print link or the settings), then retry.',
  no_shipment_method:
    'Change what the message names: the address of the order, or the settings shippingRules (also for a rate that the buyer chose, by its code) and allowMultipleQuotes. Orders go on by themselves when a setting changes; else retry ("platen orders retry"), or fulfil this order by hand.',
  create_refused:
    'Mend the field that the print service names (in the order, the print link or the settings), then retry.',
  confirm_refused:
    'Mend what the print service names, there or in your account, then choose "continue": the same draft is confirmed. What is mended in the order or its print link makes a new draft by itself; else choose "print again".',
  draft_edited:
    'Choose "continue" to confirm the draft as it is at the print service now, "print again" to delete it and make it anew from the order in the store, or "cancel".',
  left_as_draft: 'Release it in the dashboard of the print service, or approve the order to have Platen confirm it.',
  outcome_unknown:
    'The print service did not say whether it took this order. Look in its dashboard for the reference; if it is not there, choose "print again".',
  unknown_print_order:
    'The print service has an order for this sale that this database does not know (a restored backup?). Compare the two and cancel in its dashboard what is not to be printed, then choose "continue"; or choose "cancel", so that nothing of the order is printed any more.',
  draft_gone: 'The draft was removed at the print service. Choose "print again" to make a new one.',
  order_missing:
    'Look for the reference in the dashboard of the print service: the order may have been removed there. If it is not there, choose "print again".',
  several_orders:
    'Cancel all but one of the orders with this reference in the dashboard of the print service, then choose "continue".',
  items_differ:
    'The order at the print service has other items than this one. Compare the two in its dashboard, then choose "continue" (what is there counts) or "cancel".',
  service_on_hold:
    'Open the order in the dashboard of the print service and settle what it asks for: it goes on by itself then. If it is not to be printed any more, choose "cancel".',
  service_pending_approval:
    'Approve the order in the dashboard of the print service: it goes on by itself then. If it is not to be printed any more, choose "cancel".',
  service_pending_personalization:
    'Complete the personalization in the dashboard of the print service: it goes on by itself then. If it is not to be printed any more, choose "cancel".',
  service_not_connected:
    'Connect the product in the dashboard of the print service: the order goes on by itself then. If it is not to be printed any more, choose "cancel".',
  service_failed:
    'Mend what the print service names (most often the print file or the address), then choose "print again". If it is not to be printed any more, refund the buyer and choose "close": its fulfilment is then closed in your store.',
  service_canceled:
    'If it is still to be printed, choose "print again". If not, refund the buyer and choose "close": its fulfilment is then closed in your store.',
  service_returned:
    'The parcel came back. Agree with the buyer on an address, and place a new order for it or have the print service send it again; or refund the buyer. Then choose "close".',
  payment_refused:
    'Pay this order in the dashboard of the print service, or update the payment method of your account there. Orders continue when the print service takes a payment. If it gave this one up, choose "print again" then.',
  cannot_cancel:
    'Cancel it in the dashboard of the print service if it still can be; else it will arrive: agree with the buyer what to do. Then choose "continue".',
  changed_after_submit:
    'What was sent is being printed. While it is not printed yet, cancel it ("platen orders cancel") and print it again as it is now ("platen orders print-again"); or let it go on ("platen orders continue") and agree with the buyer on a return.',
  no_tracking:
    'Choose "continue" to mark it as fulfilled without tracking: a code that comes later is added. Choose "retry" to wait longer. How long Platen waits, and whether it asks, is set by noTrackingDays and fulfillsWithoutTracking.',
  no_progress:
    'Ask the print service about the order, by its reference. Choose "retry" to wait 14 more days, or "cancel" to stop the printing. Platen resolves the hold when the status changes.',
  fulfillment_canceled:
    'Choose "retry" to mark it as fulfilled again, "print again" if the goods must be made again, or "close" to end its fulfillment in your store.',
  step_failing:
    'Platen keeps trying, and the order continues once the step succeeds. If the message names something that you can fix, fix it and retry ("platen orders retry"). Otherwise ask the print service, or cancel the printing ("platen orders cancel").',
  fulfillment_refused:
    'Mend in your store what its message names, such as a hold on the fulfilment: it is tried again at once then, and every hour. Or fulfil the order by hand with the tracking code shown.',
} as const;

export type HoldCode = keyof typeof REMEDIES;

/** All of them. */
export const holdCodes = Object.keys(REMEDIES) as HoldCode[];

/** Those that are mended at the variant of a line. */
export const variantHoldCodes: readonly HoldCode[] = [
  'no_print_link',
  'not_linked',
  'variant_deleted',
  'not_connected',
];

/** What a person can do about a hold; for a code that the table does not know, a general sentence. */
export function remedyOf(code: string): string {
  return code in REMEDIES ? REMEDIES[code as HoldCode] : 'Mend what the message names, then plan the order again.';
}
