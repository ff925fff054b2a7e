import { ADDRESS_REMEDIES } from '../address/address-hold.ts';

/** Every reason why something waits for someone, with what they can do. */
const REMEDIES = {
  ...ADDRESS_REMEDIES,
  no_print_account:
    'Enter the API key of your print account in the settings of the app. The order then resumes automatically.',
  print_account_refused:
    'The print service refused the API key. Check that it is still valid and enter it again in the settings of the app. Orders resume automatically once it works.',
  print_account_changed:
    'This order was started with another print account. Enter the key of that account again, or cancel the order there and choose "print again".',
  needs_approval:
    'Review the order. Then choose "approve" to print it, or "cancel" to print nothing of it. The release and approval settings determine which orders wait.',
  held_by_hand:
    'Someone put this order on hold in Platen. Choose "approve" to print it, or "cancel" to print nothing of it.',
  high_risk:
    'Check the fraud analysis of the order in your store. If you trust the order, choose "approve". Otherwise cancel and refund it in your store.',
  no_print_link:
    'Link the variant to a print product and its print file. Orders held for it are then planned again automatically.',
  not_linked:
    'Link the variant to a print product. Then print the orders that wait for the link, or leave them. If you ship this product yourself, say so once: Platen does not ask again.',
  print_file_refused:
    'Check the property of that line, or of its bundle, in the order in your store. If the file is fine and only its host is not allowed, add it to the allowed hosts of print files in the settings: the order resumes automatically. Otherwise place a new order with a usable file on the line, and remove the line from this order or fulfill it by hand.',
  variant_deleted:
    'The variant was deleted in your store, so Platen no longer knows what to print. Give its SKU a print link: the order then resumes automatically. If the line is not to be printed, fulfill it by hand in your store or remove it from the order.',
  not_connected:
    'Connect the variant to its product in the dashboard of the print service, or mark it there as ignored if it is not printed. The order then resumes automatically. The page of the app in your store shows which product it is and why.',
  no_address: 'Add a shipping address to the order in your store.',
  pickup_point: 'Change the delivery to a postal address, or fulfill this order by hand.',
  another_app_prints:
    'Another app connected to the same print account already prints orders of this store. Disconnect that app, then confirm that Platen may print them.',
  quote_refused:
    "Fix the field named in the print service's message (in the order, the print link or the settings), then retry.",
  no_shipment_method:
    'Change what the message names: the address of the order, the shipping rules (also for a rate that the buyer chose, by its code), or whether several facilities may share an order. Orders resume automatically when a setting changes. Otherwise choose "retry", or fulfill this order by hand.',
  create_refused:
    "Fix the field named in the print service's message (in the order, the print link or the settings), then retry.",
  confirm_refused:
    'Fix the problem that the print service names. After a fix there or in your account, choose "continue": the same draft is confirmed. A fix in the order or its print link creates a new draft automatically. Otherwise choose "print again".',
  draft_edited:
    'Choose "continue" to confirm the draft as it now is at the print service, "print again" to delete it and create a new one from the order in the store, or "cancel".',
  left_as_draft: 'Release it in the dashboard of the print service, or approve the order so that Platen confirms it.',
  outcome_unknown:
    'The print service did not say whether it accepted this order. Look for the reference in its dashboard. If it is not there, choose "print again".',
  unknown_print_order:
    'The print service has an order for this sale that Platen does not know, perhaps because a backup was restored. Compare the two. In its dashboard, cancel the one that must not be printed, then choose "continue". Or choose "cancel" to print nothing more of the order.',
  draft_gone: 'The draft was removed at the print service. Choose "print again" to create a new one.',
  order_missing:
    'Look for the reference in the dashboard of the print service: the order may have been removed there. If it is not there, choose "print again".',
  several_orders:
    'Cancel all but one of the orders with this reference in the dashboard of the print service, then choose "continue".',
  items_differ:
    'The order at the print service has different items from this one. Compare the two in its dashboard. Then choose "continue" to accept the items there, or "cancel".',
  service_on_hold:
    'Open the order in the dashboard of the print service and do what it asks for, such as an approval, a personalization or connecting a product. The order then resumes automatically. If it is no longer to be printed, choose "cancel".',
  service_failed:
    'Fix the problem that the print service names (usually the print file or the address), then choose "print again". If it is no longer to be printed, refund the buyer and choose "close": its fulfillment is then closed in your store.',
  service_canceled:
    'If it is still to be printed, choose "print again". If not, refund the buyer and choose "close": its fulfillment is then closed in your store.',
  service_returned:
    'The parcel came back. Agree with the buyer on an address, and place a new order or have the print service send the parcel again. Or refund the buyer. Then choose "close".',
  payment_refused:
    'Pay this order in the dashboard of the print service, or update the payment method of your account there. Orders resume when the print service accepts a payment. If it gave up on this one, choose "print again" then.',
  cannot_cancel:
    'Cancel it in the dashboard of the print service if that is still possible. Otherwise it will arrive: agree with the buyer on what to do. Then choose "continue".',
  changed_after_submit:
    'The order is being printed as it was sent. While it is not printed yet, you can choose "cancel", then "print again" to print it with the changes. Or choose "continue" and agree with the buyer on a return.',
  no_tracking:
    'Choose "continue" to mark it as fulfilled without tracking: a code that arrives later is added. Choose "retry" to wait longer. The tracking settings determine how long Platen waits and whether it asks.',
  no_progress:
    'Ask the print service about the order and give its reference. Choose "retry" to wait 14 more days, or "cancel" to stop the printing. Platen resolves the hold when the status changes.',
  fulfillment_canceled:
    'Choose "retry" to mark it as fulfilled again, "print again" if the goods must be made again, or "close" to end its fulfillment in your store.',
  step_failing:
    'Platen keeps retrying, and the order continues once the step succeeds. If the message names something that you can fix, fix it and choose "retry". Otherwise ask the print service, or choose "cancel".',
  fulfillment_refused:
    'Fix in your store what its message names, such as a hold on the fulfillment. Platen then retries at once, and also every hour. Or fulfill the order by hand with the tracking code shown.',
} as const;

export type HoldCode = keyof typeof REMEDIES;

export const holdCodes = Object.keys(REMEDIES) as HoldCode[];

/** Codes of holds that are fixed at the variant of a line. */
export const variantHoldCodes: readonly HoldCode[] = [
  'no_print_link',
  'not_linked',
  'variant_deleted',
  'not_connected',
];

/** What to do about a hold; a general sentence for an unknown code. */
export function remedyOf(code: string): string {
  return code in REMEDIES ? REMEDIES[code as HoldCode] : 'Fix what the message names, then retry the order.';
}
