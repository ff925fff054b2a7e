import { ADDRESS_REMEDIES } from './address-hold.ts';

/** Every reason for which something waits for a person, with what that person can do. */
const REMEDIES = {
  ...ADDRESS_REMEDIES,
  no_print_account:
    'Enter the key of your print account in the settings (printKey). The order goes on by itself once the key is set.',
  print_account_refused:
    'The print service refused the key. Check that it is still valid and enter it again (printKey); orders go on by themselves when it works.',
  print_account_changed:
    'This order was begun with another print account. Enter the key of that account again, or cancel the order there and choose "print again".',
  no_print_link: 'Link the variant to a print product and its print file, then plan the order again.',
  not_connected: 'Connect the variant to its product at the print service, or mark it as not printed.',
  no_address: 'Add a shipping address to the order in your store.',
  pickup_point: 'Change the delivery to a postal address, or fulfil this order by hand.',
  another_app_prints:
    'Another app connected to the same print account already prints orders of this store. Disconnect one of the two, then allow this one.',
  quote_refused:
    'Mend the field that the print service names (in the order, the print link or the settings), then retry.',
  no_shipment_method:
    'The print service offers no shipping for these products to this address. Change the address or fulfil by hand.',
  create_refused:
    'Mend the field that the print service names (in the order, the print link or the settings), then retry.',
  confirm_refused: 'Mend what the print service names, then choose "continue": the same draft is confirmed.',
  outcome_unknown:
    'The print service did not say whether it took this order. Look in its dashboard for the reference; if it is not there, choose "print again".',
  unknown_print_order:
    'The print service has an order for this sale that this database does not know (a restored backup?). Compare the two, then continue or cancel.',
  draft_gone: 'The draft was removed at the print service. Choose "print again" to make a new one.',
  order_missing:
    'Look for the reference in the dashboard of the print service: the order may have been removed there. If it is not there, choose "print again".',
  several_orders:
    'Cancel all but one of the orders with this reference in the dashboard of the print service, then continue.',
  items_differ: 'The order at the print service has other items than this one. Compare the two in its dashboard.',
  service_on_hold: 'The print service has put this order on hold. Open it in its dashboard to see what it needs.',
  service_failed:
    'The print service could not produce this order. Open it in its dashboard, then print again or refund.',
  service_canceled: 'This order was cancelled at the print service. Print it again or refund the buyer.',
  service_returned: 'The parcel came back. Contact the buyer for a better address.',
  cannot_cancel:
    'Cancel it in the dashboard of the print service if it still can be; else it will arrive: agree with the buyer what to do.',
  changed_after_submit:
    'The order was changed after it was sent to print. What is being printed is what was ordered before the change.',
  fulfillment_refused:
    'The store did not accept the fulfilment. Fulfil the order by hand with the tracking code shown.',
} as const;

export type HoldCode = keyof typeof REMEDIES;

/** What a person can do about a hold; for a code that the table does not know, a general sentence. */
export function remedyOf(code: string): string {
  return code in REMEDIES ? REMEDIES[code as HoldCode] : 'Mend what the message names, then plan the order again.';
}
