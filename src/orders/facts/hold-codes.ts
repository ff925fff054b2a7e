import { ADDRESS_REMEDIES } from '../address/address-hold.ts';

/** Every hold code with its remedy: the action that can resolve the hold. */
const REMEDIES = {
  ...ADDRESS_REMEDIES,
  no_print_account:
    'Enter the API key of your print account under "Print account". The order then resumes automatically.',
  print_account_refused:
    'The print service refused the API key. Check that the key is still valid, and enter it again under "Print account". Orders resume automatically once the key works.',
  print_account_changed:
    'This order was started with another print account. Enter the key of that account again under "Print account". Or cancel the order in that account, then choose "Print again".',
  needs_approval:
    'Review the order. Then choose "Approve" to print it, or "Cancel printing" if it should not be printed. "Release and approval" determines which orders wait.',
  held_by_hand:
    'Someone put this order on hold in Platen. Choose "Approve" to print it, or "Cancel printing" if it should not be printed.',
  high_risk:
    'Check the fraud analysis of the order in your store. If you trust the order, choose "Approve". Otherwise, cancel and refund it in your store.',
  no_print_link:
    'Choose "Link this variant" to link it to a print product and its print file. Platen then automatically replans the orders that were held for this reason.',
  not_linked:
    'Choose "Link this variant" to link it to a print product. Then choose "Print the waiting orders", or "Leave the waiting orders" if they should not be printed. If you ship this product yourself, choose "I ship it myself" once. Platen then does not ask again.',
  print_file_refused:
    'In your store, check the print file property of the line or its bundle. If the file is fine and only its host is not allowed, allow the host under "Products and stock". The order then resumes automatically. Otherwise, place a new order with a usable file on the line, and remove the line from this order or fulfill it by hand.',
  variant_deleted:
    'The variant was deleted in your store, so Platen no longer knows what to print. Choose "Link this SKU" to give its SKU a print link. The order then resumes automatically. If the line should not be printed, fulfill it by hand in your store or remove it from the order.',
  not_connected:
    'Connect the variant to its product in the print service\'s dashboard, or mark it there as ignored if it is not printed. The order then resumes automatically. "Products" shows the product and the reason.',
  no_address:
    'Add a shipping address with "Change the address" or in your store. The order then resumes automatically.',
  pickup_point:
    'Enter a postal address with "Change the address". Platen then prints the order for that address. Or fulfill this order by hand.',
  another_app_prints:
    'Disconnect the other app from the print account, then choose "Allow Platen to print". The orders then resume automatically.',
  quote_refused:
    'The print service refused to quote this order. Fix the problem that its message describes, then choose "Retry". If you change the order or its print link, Platen requests a new quote automatically.',
  no_shipment_method:
    'No shipping method can be chosen for this order. Do what the message says. After a change of the address, the shipping method or the rules, Platen automatically requests a new quote.',
  create_refused:
    'The print service refused this order. Fix the problem that its message describes, then choose "Retry". If you change the order or its print link, Platen sends the order again automatically.',
  confirm_refused:
    'The print service has a draft of this order but refused to confirm it. Fix the problem that its message describes, then choose "Continue" to confirm the same draft. If you change the order or its print link, Platen creates a new draft automatically.',
  draft_edited:
    'Someone changed the draft at the print service. Choose "Continue" to confirm it as it is now, "Print again" to delete it and create a new draft from the order in the store, or "Cancel printing".',
  left_as_draft: 'Release the draft in the print service\'s dashboard, or choose "Approve" so that Platen confirms it.',
  outcome_unknown:
    'The print service did not confirm whether it accepted this order. Search for the reference in its dashboard. If the reference is not there, choose "Print again".',
  unknown_print_order:
    'The print service has another print order for this order. Platen does not know it, perhaps because a backup was restored. Compare the print orders in the print service\'s dashboard, cancel the one that must not be printed, then choose "Continue". Or choose "Cancel printing" to stop printing this order.',
  printed_before:
    'Search for the order in the dashboard of the print service. If it shipped, fulfill its items in your store with the tracking code from there. If the shop had another print account at that time, enter the key of that account under "Print account", and Platen searches again. If the order was never printed, place a new order for these items. If nothing more should be printed, choose "Cancel printing".',
  draft_gone: 'The draft was removed at the print service. Choose "Print again" to create a new draft.',
  order_missing:
    'Search for the reference in the dashboard of the print service. The order may have been removed there. If it is not there, choose "Print again".',
  several_orders:
    'In the dashboard of the print service, cancel all but one of the orders with this reference. Then choose "Continue".',
  items_differ:
    'The order at the print service has different items than this order. Compare both in its dashboard. Then choose "Continue" to accept the items there, or "Cancel printing".',
  service_on_hold:
    'Open the order in the print service\'s dashboard and follow the instructions there. The order then resumes automatically. If it should no longer be printed, choose "Cancel printing".',
  service_pending_approval:
    'Approve the order in the print service\'s dashboard. The order then resumes automatically. If it should no longer be printed, choose "Cancel printing".',
  service_pending_personalization:
    'Complete the personalization in the print service\'s dashboard. The order then resumes automatically. If it should no longer be printed, choose "Cancel printing".',
  service_not_connected:
    'Connect the product in the print service\'s dashboard. The order then resumes automatically. If it should no longer be printed, choose "Cancel printing".',
  service_failed:
    'Fix the problem that the print service reports (usually the print file or the address), then choose "Print again". If the order should no longer be printed, refund the buyer, then choose "Close in the store".',
  service_canceled:
    'If the order should still be printed, choose "Print again". If not, refund the buyer, then choose "Close in the store".',
  service_returned:
    'The parcel was returned. Agree on an address with the buyer, then place a new order or have the print service send the parcel again. Or refund the buyer. Then choose "Close in the store".',
  payment_refused:
    'Pay for this order in the dashboard of the print service, or update the payment method of your account there. Orders resume once the print service accepts a payment. If it has already given up on this order, choose "Print again" afterward.',
  cannot_cancel:
    'Cancel the order in the dashboard of the print service if that is still possible. Otherwise, the parcel will be delivered, so agree with the buyer on what to do. Then choose "Continue".',
  changed_after_submit:
    'The order is being printed as it was sent. Until it is printed, you can choose "Cancel printing". Once it is canceled, choose "Approve" to print it with the changes. Or choose "Continue" and agree with the buyer on a return.',
  no_tracking:
    'Choose "Continue" to mark the order as fulfilled without tracking. If a code arrives later, Platen adds it. Choose "Retry" to wait longer. "Messages and packing slips" determines how long Platen waits and whether it asks you.',
  no_progress:
    'Contact the print service about the order, and mention its reference. Choose "Retry" to wait 14 more days, or "Cancel printing". Platen resolves the hold when the status changes.',
  fulfillment_canceled:
    'Choose "Retry" to mark the items as fulfilled again, "Print again" if they must be printed again, or "Close in the store" to close their fulfillment.',
  step_failing:
    'Platen continues to retry, and the order continues once the step succeeds. If the message mentions something that you can fix, fix it and choose "Retry". Otherwise, contact the print service, or choose "Cancel printing".',
  fulfillment_refused:
    "In your store, fix the problem that the store's message describes, such as a hold on the fulfillment. Platen then retries immediately, and also every hour. Or fulfill the order by hand with the tracking code shown.",
} as const;

/** The first step of a remedy whose actions are refused while the order has a hold with the code `unknown_print_order`. */
export const UNKNOWN_ORDER_FIRST = 'First resolve the hold for the unknown print order.';

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
    : 'Fix the problem that the message describes, then choose "Retry".';
}
