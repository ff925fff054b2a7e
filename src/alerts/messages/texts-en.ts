import type { MessageTexts } from './message-texts.ts';

const count = (number: number, one: string, many: string): string => `${number} ${number === 1 ? one : many}`;

/** The texts of messages in English. */
export const enTexts: MessageTexts = {
  conditions: {
    key_refused: {
      started: 'The print service refuses your API key',
      text: 'Nothing is sent to print until the key works. Check that the key is still valid, and enter it again in the settings.',
      ended: 'The print service accepts your API key again.',
    },
    payment_refused: {
      started: 'The print service refuses your payments',
      text: 'Orders wait until a payment succeeds. Update the payment method of your account at the print service.',
      ended: 'The print service accepts your payments again.',
    },
    signed_out: {
      started: 'Platen no longer has access to your store',
      text: "Platen cannot read new orders. Open Platen in your store's admin to sign in again.",
      ended: 'Platen has access to your store again.',
    },
    server_refused: {
      started: "Shopify rejects Platen's server",
      text: "Platen can neither read your orders nor mark them as shipped. Platen's operator must correct the server's address or the app's credentials.",
      ended: "Shopify accepts Platen's server again.",
    },
    fenced_off: {
      started: 'Another database of Platen has taken over your store',
      text: "This one sends nothing, so that nothing is printed twice. Platen's operator must stop one of the two.",
      ended: 'This database acts for your store again.',
    },
    other_app: {
      started: "Another app prints your store's orders with the same print account",
      text: 'Your orders are on hold so that none is printed twice. Disconnect the other app, and then confirm on the home page that Platen may print.',
      ended: 'No other app prints with your print account anymore, or you allowed the other app.',
    },
    store_silent: {
      started: 'No webhooks arrive from your store',
      text: "Platen still finds your orders by checking your store regularly, but with a delay. Platen's operator must check the webhooks and the public address of the app.",
      ended: 'Webhooks arrive from your store again.',
    },
    print_silent: {
      started: 'No updates arrive from the print service',
      text: 'Platen still finds the progress of your orders by checking the print service regularly, but with a delay. Create a new address for updates in the settings, and enter it at the print service.',
      ended: 'Updates arrive from the print service again.',
    },
  },
  ended: 'Resolved',
  subjectOf: (shop, what) => `${shop}: ${what}`,
  heldSubject: (orders) => `${count(orders, 'order needs', 'orders need')} your attention`,
  held: (orders) => `${count(orders, 'order is', 'orders are')} on hold`,
  heldFor: (reason, orders) => `${reason}: ${count(orders, 'order', 'orders')}`,
  all: (orders) => count(orders, 'order', 'orders'),
  others: (orders) => `${count(orders, 'more order', 'more orders')}`,
  showHeld: 'Show all orders on hold',
  open: 'Open Platen',
  alertFooter: 'Platen sends this message when something needs your attention, at most once an hour.',
  settings: 'Change alerts',
  test: {
    subject: 'Test message from Platen',
    title: 'Your alerts arrive here',
    text: 'Platen sends a message when orders are on hold or a connection fails. This is a test. You do not need to do anything.',
  },
  digest: {
    subject: (shop) => `${shop}: your week with Platen`,
    title: (from, to) => `${from} – ${to}`,
    orders: 'Orders placed',
    timeToShip: 'Time from payment to shipment',
    shipped: (orders) => `median of ${count(orders, 'order', 'orders')} shipped that week`,
    cost: 'Charged by the print service',
    paid: 'Paid by buyers',
    margin: 'Margin',
    unknown: (printOrders) => `excluding ${count(printOrders, 'print order', 'print orders')} whose margin is unknown`,
    tooMany: 'The week had too many print orders to add up their costs here. See the costs on the Activity page.',
    holds: 'Orders that were on hold',
    stillOpen: (orders) => `${orders} still on hold`,
    total: 'In total',
    before: (value) => `previous week: ${value}`,
    none: 'none',
    hours: (hours) => `${hours} hours`,
    days: (days) => `${days} days`,
    show: 'Show orders and costs',
    footer: 'Platen sends this digest every Monday after a week with orders.',
  },
};
