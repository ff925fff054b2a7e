/** A setting's name, and a sentence about its effect. */
export interface FieldText {
  label: string;
  details?: string;
}

const LIST = 'Separate several values with commas. Put a value that contains a comma in double quotes.';
const COUNTRIES = 'Country codes such as DE, AT. Enter * for every country.';

/** The names and effects of the settings in English, by path. */
export const enSettingFields: Record<string, FieldText> = {
  submit: {
    label: 'How print orders are created',
    details: 'Platen checks a draft before confirming it. Choose “Directly” only if the print service requires it.',
  },
  printInterface: {
    label: 'Print service interface',
    details: 'Older accounts may need an earlier interface. Orders that were already sent keep their interface.',
  },
  extendedCalls: {
    label: 'My account can read, confirm and cancel orders',
    details: 'If this is off, print orders are created directly, and Platen cannot cancel them at the print service.',
  },
  legacyHost: {
    label: 'Host of the earlier interface',
    details: 'On the test host, orders cost nothing and nothing is printed.',
  },
  currency: {
    label: 'Currency of print orders',
    details:
      'A code such as EUR. If you leave this empty, Platen uses your store’s currency, or US dollars if the print service does not support that currency.',
  },
  release: { label: 'When orders are sent to print' },
  dailyReleaseAt: {
    label: 'Time of the daily release',
    details: 'A time such as 18:00, in your store’s time zone. It applies only to the daily release.',
  },
  delayMinutes: {
    label: 'Wait before printing',
    details: 'During this time, you or the buyer can still change or cancel the order at no cost.',
  },
  approvalRules: {
    label: 'Orders that need your approval',
    details: 'These orders wait for you, even if other orders are sent automatically.',
  },
  'approvalRules.minimumTotal': {
    label: 'With an order total of at least',
    details: 'An amount such as 500.00, in your store’s currency.',
  },
  'approvalRules.productTags': { label: 'With a product that has one of these tags', details: LIST },
  'approvalRules.firstTimeBuyers': { label: 'From buyers who order for the first time' },
  unpaidOrders: { label: 'Unpaid orders' },
  highRiskOrders: {
    label: 'Orders that Shopify rates as likely fraud',
    details:
      'If these orders wait for your decision, each new order first waits up to an hour for Shopify’s fraud analysis.',
  },
  testOrders: { label: 'Test orders' },
  takesOrdersFrom: {
    label: 'Print orders placed from this day on',
    details:
      'If you choose an earlier day, Platen also prints the paid, unfulfilled orders placed since then. A day more than 60 days ago requires a permission.',
  },
  sendsRestOfHeldOrders: {
    label: 'Print the other items of an order on hold',
    details: 'The buyer then receives several parcels, and you pay for each.',
  },
  leavesDrafts: {
    label: 'Leave print orders as drafts',
    details: 'Nothing is printed or charged until someone releases the draft in the print service’s dashboard.',
  },
  printsAtMerchantLocations: {
    label: 'Also print items at your own locations',
    details: 'If this is off, Platen prints only items that your store routes to Platen’s location.',
  },
  submitsRequests: {
    label: 'Request fulfillment automatically at Platen’s location',
    details: 'If this is off, someone must request fulfillment of each order in the store.',
  },
  shippingRules: {
    label: 'Rules',
    details: 'Platen uses the first rule whose conditions are all met and for which the print service offers a method.',
  },
  'shippingRules.name': { label: 'Name', details: 'The order’s timeline shows this name.' },
  'shippingRules.when': {
    label: 'The rule applies to orders',
    details: 'Without a condition, it applies to every order.',
  },
  'shippingRules.when.countries': { label: 'To these countries', details: 'Country codes such as DE, AT.' },
  'shippingRules.when.title': {
    label: 'Whose shipping option at checkout contains',
    details: 'Part of its title, such as Express. Case is ignored.',
  },
  'shippingRules.when.code': { label: 'Whose shipping option has this code' },
  'shippingRules.when.skus': { label: 'With these SKUs', details: LIST },
  'shippingRules.when.productUids': { label: 'With these print products', details: LIST },
  'shippingRules.when.productTags': { label: 'With products that have these tags', details: LIST },
  'shippingRules.when.lines': { label: 'How many items must have these SKUs, print products or tags' },
  'shippingRules.choose': { label: 'The rule chooses' },
  'shippingRules.choose.by': { label: 'Preferred method among those that fit' },
  'shippingRules.choose.types': { label: 'Methods of these types', details: 'Such as normal, standard or express.' },
  'shippingRules.choose.methodUids': { label: 'These methods', details: LIST },
  'shippingRules.choose.days': { label: 'Methods that deliver within' },
  'shippingRules.choose.date': { label: 'Methods that deliver by' },
  'shippingRules.choose.mostParcels': { label: 'Methods with at most this many parcels' },
  'shippingRules.choose.incoTerms': { label: 'Methods with these delivery terms', details: 'Such as DDP.' },
  allowMultipleQuotes: {
    label: 'Allow several print facilities for one order',
    details:
      'The buyer may then receive several parcels. If this is off, an order that needs several facilities waits for you.',
  },
  liveRates: {
    label: 'Offer the print service’s shipping prices at checkout',
    details:
      'Buyers see actual prices and choose a method. This needs a Shopify plan that allows shipping prices from apps, and a permission.',
  },
  rateMargin: { label: 'Your markup', details: 'Platen adds it to the print service’s price.' },
  'rateMargin.percent': { label: 'Percent', details: 'Such as 10.' },
  'rateMargin.amount': { label: 'Amount', details: 'Such as 0.50, in your store’s currency.' },
  rateRounding: { label: 'Rounding', details: 'Prices are rounded up. Fill in one field, or leave both empty.' },
  'rateRounding.to': { label: 'To a multiple of', details: 'Such as 0.50.' },
  'rateRounding.ending': { label: 'To a price that ends in', details: 'Such as 0.99.' },
  ratesFreeFrom: {
    label: 'Minimum cart value for free shipping',
    details: 'At this value or more, the cheapest price is 0. If this is empty, shipping is never free.',
  },
  rateNames: { label: 'Names at checkout', details: 'If a name is empty, the checkout shows an English name.' },
  'rateNames.normal': { label: 'Economy' },
  'rateNames.standard': { label: 'Standard' },
  'rateNames.express': { label: 'Express' },
  fallbackRates: {
    label: 'Fallback prices',
    details:
      'The checkout shows these prices if the print service does not respond in time. Without them, the checkout may offer no shipping.',
  },
  'fallbackRates.name': { label: 'Name at checkout' },
  'fallbackRates.countries': { label: 'Countries', details: COUNTRIES },
  'fallbackRates.amount': { label: 'Price per order', details: 'Such as 6.90.' },
  'fallbackRates.perItem': { label: 'Plus a price per item' },
  'fallbackRates.type': { label: 'Type' },
  ownStockRates: {
    label: 'Shipping prices for items that you ship yourself',
    details: 'If a cart also contains printed items, Platen adds these prices to the print service’s price.',
  },
  'ownStockRates.countries': { label: 'Countries', details: COUNTRIES },
  'ownStockRates.amount': { label: 'Price per order', details: 'Such as 4.90.' },
  'ownStockRates.perItem': { label: 'Plus a price per item' },
  'ownStockRates.alone': {
    label: 'Also use this price for parts of a cart that contain no printed items',
    details: 'Switch this on only if that part of the cart has no other shipping price.',
  },
  fallbackEmail: {
    label: 'Email address for orders without a valid one',
    details: 'The carrier’s messages go to this address. If this is empty, Platen uses your store’s contact email.',
  },
  postCodePlaceholder: {
    label: 'Postal code for countries without postal codes',
    details: 'The print service requires a postal code for every address.',
  },
  returnAddress: {
    label: 'Sender on the parcel',
    details: 'If all fields are empty, the parcel shows the sender of your print account.',
  },
  'returnAddress.companyName': { label: 'Company' },
  'returnAddress.addressLine1': { label: 'Street and number' },
  'returnAddress.addressLine2': { label: 'Apartment, suite, etc.' },
  'returnAddress.postCode': { label: 'Postal code' },
  'returnAddress.city': { label: 'City' },
  'returnAddress.state': { label: 'State or province', details: 'A code such as CA, if the country has states.' },
  'returnAddress.country': { label: 'Country', details: 'A code such as DE.' },
  'returnAddress.email': { label: 'Email' },
  'returnAddress.phone': { label: 'Phone' },
  notifyCustomer: {
    label: 'Have the store notify buyers when a parcel ships',
    details: 'Your store sends its own shipping confirmation, with the tracking link.',
  },
  gatherSeconds: {
    label: 'Collect tracking codes before the buyer is notified',
    details: 'The buyer of an order with several parcels then receives one message instead of several.',
  },
  noTrackingDays: {
    label: 'Wait for a missing tracking code',
    details: 'After this many days, the next setting applies.',
  },
  fulfillsWithoutTracking: {
    label: 'Then mark the order as fulfilled without tracking',
    details: 'If this is off, the order waits for your decision.',
  },
  packingSlip: {
    label: 'Packing slips',
    details:
      'Print packing slips from the Print menu of your orders. The slips also show the sender that you enter under Addresses.',
  },
  'packingSlip.logoUrl': { label: 'Address of your logo', details: 'Such as https://cdn.example.com/logo.png.' },
  'packingSlip.message': { label: 'Message on every slip', details: 'Such as “Thank you for your order!”' },
  'packingSlip.printsNote': {
    label: 'Print the order’s note as a gift message',
    details: 'In most themes, buyers can enter this note in the cart.',
  },
  tagsOrders: {
    label: 'Add tags to orders',
    details: 'Your order list then shows the print status, such as “platen: printing”. Your own tags stay unchanged.',
  },
  writesOrderMetafields: {
    label: 'Write the print status to order metafields',
    details:
      'An order’s page then shows its print status, references and expected delivery. Buyers see the status and the expected delivery if you add Platen’s block to their order page.',
  },
  writesConnectionStatus: {
    label: 'Write the connection status to product metafields',
    details: 'The pages of products and variants then show whether they are connected at the print service.',
  },
  holdsInStore: {
    label: 'Put orders on hold in the store too',
    details: 'While an order waits for your decision, nobody can fulfill it in the store by mistake.',
  },
  printsWaitingOrders: {
    label: 'Print waiting orders as soon as their product is linked',
    details: 'If this is off, Platen asks you first.',
  },
  printsEverything: {
    label: 'Put every order with an unlinked product on hold',
    details:
      'If this is off, Platen holds only products that count as print-on-demand products. You ship the others yourself.',
  },
  stockAtLocation: {
    label: 'Stock connected variants at Platen’s location',
    details: 'Your store then routes their orders to Platen. Variants without shipping prices there stay unchanged.',
  },
  hideOutOfStock: {
    label: 'Stop selling variants that cannot be delivered',
    details:
      'Nobody can buy them while the print service is out of stock. Afterward, Platen makes them sellable again.',
  },
  stockRegions: {
    label: 'Regions that you ship to',
    details: 'Codes such as EU, US-CA. If this is empty, stock in any region counts.',
  },
  printLinkMetafields: {
    label: 'Read print links from metafields in this namespace',
    details:
      'Platen reads product_uid, file_url and page_count of each variant. If this is empty, it reads no metafields.',
  },
  printFileProperty: {
    label: 'Order line property with the buyer’s own print file',
    details: 'The name of the property that contains the file’s address, for personalized products.',
  },
  printFileHosts: {
    label: 'Hosts from which buyers’ print files may come',
    details: 'Such as files.example.com or *.example.com. Platen rejects files from other hosts.',
  },
  printStoreId: {
    label: 'ID of this store at the print service',
    details: 'Platen learns it from the first event about one of your products. Enter it only if you know it.',
  },
  retentionDays: {
    label: 'How long addresses are stored after an order is done',
    details: 'Afterward, Platen erases the addresses. It keeps the statuses and costs.',
  },
  sendsCustomerId: {
    label: 'Send the customer’s ID to the print service',
    details: 'The print service can then recognize orders from the same buyer. The ID does not contain the name.',
  },
  alertEmails: {
    label: 'Email addresses',
    details: 'At most 5 addresses, separated by commas. Messages contain no data about your buyers.',
  },
  alertLanguage: { label: 'Language of the messages' },
  weeklyDigest: {
    label: 'Weekly digest',
    details:
      'Sent on Monday mornings after a week with orders. Shows orders, time to ship, costs, margin and the reasons for holds.',
  },
};
