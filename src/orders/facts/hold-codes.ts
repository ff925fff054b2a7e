import { ADDRESS_REMEDIES } from '../address/address-hold.ts';

/** Every hold code with its remedy: the action that can resolve the hold. */
const REMEDIES = {
  ...ADDRESS_REMEDIES,
  no_print_account:
    "Enter the API key of your print account in the app's settings. The order then resumes automatically.",
  print_account_refused:
    "The print service refused the API key. Check that the key is still valid and enter it again in the app's settings. Orders resume automatically once the key works.",
  print_account_changed:
    'This order was started with another print account. Enter the key of that account again, or cancel the order in that account and choose "print again".',
  needs_approval:
    'Review the order. Then choose "approve" to print it, or "cancel" if it should not be printed. The release and approval settings determine which orders wait.',
  held_by_hand:
    'Someone put this order on hold in Platen. Choose "approve" to print it, or "cancel" if it should not be printed.',
  high_risk:
    'Check the fraud analysis of the order in your store. If you trust the order, choose "approve". Otherwise, cancel and refund it in your store.',
  no_print_link:
    'Link the variant to a print product and its print file. Platen then automatically replans the orders that were held for this reason.',
  not_linked:
    'Link the variant to a print product. Then print the orders that are waiting for the link, or leave them unprinted. If you ship this product yourself, confirm that once. Platen then does not ask again.',
  print_file_refused:
    'In your store, check the print file property of the line or its bundle. If the file is fine and only its host is not allowed, add the host to the allowed hosts of print files in the settings. The order then resumes automatically. Otherwise, place a new order with a usable file on the line, and remove the line from this order or fulfill it by hand.',
  variant_deleted:
    'The variant was deleted in your store, so Platen no longer knows what to print. Give its SKU a print link, and the order resumes automatically. If the line should not be printed, fulfill it by hand in your store or remove it from the order.',
  not_connected:
    "Connect the variant to its product in the print service's dashboard, or mark it there as ignored if it is not printed. The order then resumes automatically. The app's page in your store shows the product and the reason.",
  no_address: 'Add a shipping address to the order in your store.',
  pickup_point: 'Change the delivery to a postal address, or fulfill this order by hand.',
  another_app_prints:
    "Another app that is connected to the same print account already prints this store's orders. Disconnect that app, then confirm that Platen may print them.",
  quote_refused:
    "Fix the field named in the print service's message (in the order, the print link or the settings), then retry.",
  no_shipment_method:
    'Depending on the message, change the address, change the shipping rules (a rule can contain the code of the rate that the buyer chose), or allow several print facilities for one order. Orders resume automatically when a setting changes. Otherwise, choose "retry", or fulfill this order by hand.',
  create_refused:
    "Fix the field named in the print service's message (in the order, the print link or the settings), then retry.",
  confirm_refused:
    'Fix the problem that the print service reports. If you fixed it at the print service or in your account, choose "continue" to confirm the same draft. If you fixed the order or its print link, Platen creates a new draft automatically. Otherwise, choose "print again".',
  draft_edited:
    'Choose "continue" to confirm the current draft at the print service, "print again" to delete it and create a new draft from the order in the store, or "cancel".',
  left_as_draft:
    "Release the draft in the print service's dashboard, or approve the order so that Platen confirms the draft.",
  outcome_unknown:
    'The print service did not confirm whether it accepted this order. Search for the reference in its dashboard. If the reference is not there, choose "print again".',
  unknown_print_order:
    'The print service has another print order for this order. Platen does not know it, perhaps because a backup was restored. Compare the print orders in the print service\'s dashboard, cancel the one that must not be printed, then choose "continue". Or choose "cancel" to stop printing this order.',
  printed_before:
    'Search for the order in the dashboard of the print service. If it shipped, fulfill its items in your store with the tracking code from there. If the shop had another print account at that time, enter the key of that account, and Platen searches again. If the order was never printed, place a new order for these items. If nothing more should be printed, choose "cancel".',
  draft_gone: 'The draft was removed at the print service. Choose "print again" to create a new draft.',
  order_missing:
    'Search for the reference in the dashboard of the print service. The order may have been removed there. If it is not there, choose "print again".',
  several_orders:
    'In the dashboard of the print service, cancel all but one of the orders with this reference. Then choose "continue".',
  items_differ:
    'The order at the print service has different items than this order. Compare both in its dashboard. Then choose "continue" to accept the items there, or "cancel".',
  service_on_hold:
    'Open the order in the print service\'s dashboard and follow the instructions there. The order then resumes automatically. If it should no longer be printed, choose "cancel".',
  service_pending_approval:
    'Approve the order in the print service\'s dashboard. The order then resumes automatically. If it should no longer be printed, choose "cancel".',
  service_pending_personalization:
    'Complete the personalization in the print service\'s dashboard. The order then resumes automatically. If it should no longer be printed, choose "cancel".',
  service_not_connected:
    'Connect the product in the print service\'s dashboard. The order then resumes automatically. If it should no longer be printed, choose "cancel".',
  service_failed:
    'Fix the problem that the print service reports (usually the print file or the address), then choose "print again". If the order should no longer be printed, refund the buyer and choose "close" to close its fulfillment in your store.',
  service_canceled:
    'If the order should still be printed, choose "print again". If not, refund the buyer and choose "close" to close its fulfillment in your store.',
  service_returned:
    'The parcel was returned. Agree on an address with the buyer, then place a new order or have the print service send the parcel again. Or refund the buyer. Then choose "close".',
  payment_refused:
    'Pay for this order in the dashboard of the print service, or update the payment method of your account there. Orders resume once the print service accepts a payment. If it has already given up on this order, choose "print again" afterward.',
  cannot_cancel:
    'Cancel the order in the dashboard of the print service if that is still possible. Otherwise, the parcel will be delivered, so agree with the buyer on what to do. Then choose "continue".',
  changed_after_submit:
    'The order is being printed as it was sent. Until it is printed, you can choose "cancel", then "print again" to print it with the changes. Or choose "continue" and agree with the buyer on a return.',
  no_tracking:
    'Choose "continue" to mark the order as fulfilled without tracking. If a code arrives later, Platen adds it. Choose "retry" to wait longer. The tracking settings determine how long Platen waits and whether it asks you.',
  no_progress:
    'Contact the print service about the order, and mention its reference. Choose "retry" to wait 14 more days, or "cancel" to stop the printing. Platen resolves the hold when the status changes.',
  fulfillment_canceled:
    'Choose "retry" to mark the items as fulfilled again, "print again" if they must be printed again, or "close" to close their fulfillment in your store.',
  step_failing:
    'Platen continues to retry, and the order continues once the step succeeds. If the message mentions something that you can fix, fix it and choose "retry". Otherwise, contact the print service, or choose "cancel".',
  fulfillment_refused:
    "In your store, fix the problem that the store's message describes, such as a hold on the fulfillment. Platen then retries immediately, and also every hour. Or fulfill the order by hand with the tracking code shown.",
} as const;

export type HoldCode = keyof typeof REMEDIES;

export const holdCodes = Object.keys(REMEDIES) as HoldCode[];

/** Codes of holds that are resolved by linking or connecting a line's variant. */
export const variantHoldCodes: readonly HoldCode[] = [
  'no_print_link',
  'not_linked',
  'variant_deleted',
  'not_connected',
];

/** Returns the remedy for a hold, or general advice for an unknown code. */
export function remedyOf(code: string): string {
  return code in REMEDIES
    ? REMEDIES[code as HoldCode]
    : 'Fix the problem that the message describes, then retry the order.';
}
