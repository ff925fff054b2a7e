import { enSettingChoices } from './en-setting-choices.ts';
import { enSettingFields } from './en-setting-fields.ts';
import type { Section } from '../pages/settings/sections.ts';

const count = (number: number, one: string, many: string): string => `${number} ${number === 1 ? one : many}`;

/** The texts of the settings pages in English. */
export const enSettings = {
  change: 'Change',
  open: (section: string) => `Change: ${section}`,
  saved: 'Your changes are saved.',
  earlierTitle: 'Print earlier orders?',
  earlierText:
    'Platen then also prints the paid, unfulfilled orders placed since that day, according to your release settings.',
  saveEarlier: 'Save and print them',
  any: 'Any',
  noRows: 'There are no entries yet.',
  row: (number: number) => `Entry ${number}`,
  addRow: 'Add an entry',
  moveUp: 'Move up',
  moveRowUp: (number: number) => `Move entry ${number} up`,
  remove: 'Remove',
  removeRow: (number: number) => `Remove entry ${number}`,
  units: { minutes: 'minutes', seconds: 'seconds', days: 'days' },
  sections: {
    connection: {
      title: 'Print account',
      text: 'Enter the key of your print account, and give the print service an address for its updates. Without a key, no order is printed.',
    },
    release: {
      title: 'Release and approval',
      text: 'Choose when paid orders are sent to print, and which orders wait for your approval.',
    },
    shipping: {
      title: 'Shipping rules',
      text: 'Choose the shipping method by country, product or the buyer’s choice. Without a rule, the cheapest method is used.',
    },
    rates: {
      title: 'Shipping prices at checkout',
      text: 'Show the print service’s shipping prices at checkout, with your own markup, rounding and names.',
    },
    address: {
      title: 'Addresses',
      text: 'Choose replacements for missing parts of an address, and the sender on the parcel.',
    },
    buyers: {
      title: 'Messages and packing slips',
      text: 'Choose when your store notifies buyers that their parcel has shipped, and what your packing slips show.',
    },
    alerts: {
      title: 'Alerts',
      text: 'Get an email or a chat message when orders are on hold or a connection fails, and a digest every week.',
    },
    store: {
      title: 'Print status in your store',
      text: 'Show the print status on the pages of your orders and products. If an option needs a permission, your store asks you to grant it.',
    },
    products: {
      title: 'Products and stock',
      text: 'Choose what happens to products that are not linked, and where the stock of printed products is kept.',
    },
    privacy: {
      title: 'Privacy',
      text: 'Choose how long Platen stores your buyers’ addresses, and which data the print service receives.',
    },
    leaving: {
      title: 'Stop using Platen',
      text: 'Before you remove the app, undo the changes that Platen made in your store.',
    },
  } satisfies Record<Section, { title: string; text: string }>,
  fields: enSettingFields,
  choices: enSettingChoices,
  key: 'Key',
  keyLabel: 'API key',
  keyText:
    'You can find the key in your account at the print service. Platen tests a new key before saving it. The test costs nothing and prints nothing.',
  noKey: 'No key is saved yet.',
  hasKey: (last4: string) => (last4 === '' ? 'A key is saved.' : `A key that ends in ${last4} is saved.`),
  saveKey: 'Test and save',
  keySaved: 'The print service accepts the key. It is saved.',
  testKey: 'Test the saved key',
  keyWorks: 'The print service accepts the saved key.',
  disconnect: 'Disconnect',
  disconnectTitle: 'Disconnect your print account',
  disconnectText:
    'New orders wait until you enter a key again. Platen uses the key only to follow orders that were already sent to print.',
  disconnected: 'The print account is disconnected.',
  address: 'Address for updates',
  addressText:
    'The print service sends statuses and tracking codes to this address. Keep it secret, because anyone who knows it can send such updates.',
  addressMadeAt: (time: string) =>
    `An address was created on ${time}. It cannot be shown again. If you no longer have it, create a new one.`,
  newAddress: 'New address, shown only once',
  newAddressText:
    'In your account at the print service, enter it as the webhook address for all order and item events.',
  previousAddressText: 'The previous address works for one more day.',
  createAddressText:
    'After you create a new address, the current address works for one more day. Enter the new address at the print service by then.',
  createAddress: 'Create a new address',
  addressMade: 'The new address was created. Copy it now.',
  addressRegistered: 'The new address was created and registered at the print service.',
  copy: 'Copy',
  sendTest: 'Send a test event',
  testArrived: 'The test event arrived, so the address works.',
  testLost:
    'The test event was not accepted. If you require a secret header, choose “Accept updates without a header” for the test. Otherwise, Platen’s operator must check the public address.',
  copied: 'The address was copied.',
  notCopied: 'The address could not be copied. Select it and copy it yourself.',
  header: 'Secret header',
  headerText:
    'If the print service sends a secret header with its updates, enter it here. Platen then rejects updates without it.',
  hasHeader: (name: string) => `Updates must contain the header ${name}.`,
  headerName: 'Name of the header',
  headerValue: 'Value of the header',
  saveHeader: 'Save the header',
  removeHeaderText:
    'Anyone who knows the address can then send updates. To require the header again, you must enter it again.',
  removeHeader: 'Accept updates without a header',
  recipients: 'Emails and digest',
  chat: 'Chat',
  chatText:
    'Create an incoming webhook in Slack, or in a chat that accepts the same messages, such as Mattermost. Keep its address secret, because anyone who knows it can write to your chat.',
  noChat: 'No chat is saved yet.',
  hasChat: (last4: string) => (last4 === '' ? 'A chat is saved.' : `A chat whose address ends in ${last4} is saved.`),
  chatLabel: 'Address of the incoming webhook',
  saveChat: 'Save the chat',
  chatSaved: 'The chat is saved.',
  removeChat: 'Remove the chat',
  removeChatText: 'The chat then receives no more alerts. To add it again, you must enter its address again.',
  chatRemoved: 'The chat is removed.',
  arrival: 'Test your alerts',
  arrivalText: 'Send a test message to the saved recipients.',
  noMail:
    'This installation cannot send emails yet. Platen’s operator must set up a mail server first. You can use a chat without a mail server.',
  channels: { email: 'Email', slack: 'Chat' },
  noAlertYet: 'No alert has been sent yet.',
  alertedAt: (time: string) => `The last alert was sent on ${time}.`,
  failedAt: (time: string) => `A message could not be sent on ${time}.`,
  sendTestMessage: 'Send a test message',
  testSent: (channels: string) => `The test message was sent: ${channels}.`,
  printOrders: 'Print orders',
  preview: 'Preview',
  previewText:
    'The preview uses your changes before they are saved. It costs nothing and prints nothing. The sample has no product tags and no shipping code.',
  previewNeedsLink: 'Link a product first. The preview then shows how an order for it would be shipped.',
  previewProduct: 'Product',
  previewAdd: 'Add a product',
  previewCountry: 'Country code',
  previewProvince: 'State or province',
  previewPostCode: 'Postal code',
  previewTitle: 'Shipping option at checkout',
  previewValue: 'Cart value',
  showPreview: 'Show the preview',
  chosenBy: (rule: string) => `Chosen by: ${rule}`,
  passedOver: (rule: string, why: string) => `Not used: ${rule}, because ${why}.`,
  noMethod: (why: string) => `No method can be chosen, because ${why}. An order like this waits for your decision.`,
  method: 'Method',
  chosen: 'Chosen',
  price: 'Price',
  ratesOff: 'Checkouts show these prices only after you switch on the first setting and save it.',
  ratesShown: 'Prices at checkout',
  noRates: 'The checkout shows no prices for this cart.',
  fallbackShown: 'If the print service does not respond in time',
  noFallback: 'The checkout shows no prices, because no fallback price applies.',
  undone: 'Changes that Platen undoes',
  nothingToUndo: 'Platen has made no changes in your store that must be undone.',
  undo: {
    held: (orders: number) => `${count(orders, 'order', 'orders')} on hold in the store`,
    tagged: (orders: number) => `Tags on ${count(orders, 'order', 'orders')}`,
    orderMetafields: (orders: number) => `Metafields of ${count(orders, 'order', 'orders')}`,
    carrierServices: () => 'Shipping prices at checkout',
    stocked: (variants: number) => `${count(variants, 'variant', 'variants')} stocked at Platen’s location`,
    hidden: (variants: number) => `${count(variants, 'variant', 'variants')} made unsellable`,
    metafields: (fields: number) => `${count(fields, 'metafield', 'metafields')} with a connection status`,
    unsent: (orders: number) => `${count(orders, 'print order', 'print orders')} not sent to print yet`,
  },
  undoScopes: (scopes: string) => `Some changes cannot be undone without these permissions: ${scopes}.`,
  live: (orders: number) =>
    `${count(orders, 'print order is', 'print orders are')} in progress at the print service. Your store receives no tracking for parcels that ship after you stop Platen.`,
  leave: 'Stop Platen',
  leaveTitle: 'Stop Platen for this store',
  leaveText:
    'Platen stops printing orders, closes print orders that were not sent, and undoes these changes in the background. You can use Platen again at any time.',
  left: 'Platen is stopped for this store',
  leftText:
    'Platen is undoing its changes, which may take a few minutes. Open Platen again to see when it is done and you can remove the app.',
};

export type SettingsTexts = typeof enSettings;
