import type { FieldText } from './en-setting-fields.ts';

const LIST = 'Trennen Sie mehrere Werte durch Kommas. Setzen Sie einen Wert mit Komma in doppelte Anführungszeichen.';
const COUNTRIES = 'Ländercodes wie DE, AT. Mit * gilt der Eintrag für alle Länder.';

/** The names and effects of the settings in German, by path. */
export const deSettingFields: Record<string, FieldText> = {
  submit: {
    label: 'Wie Druckaufträge angelegt werden',
    details: 'Ein Entwurf wird vor der Bestätigung geprüft. Wählen Sie „Direkt“ nur, wenn der Druckdienst es verlangt.',
  },
  printInterface: {
    label: 'Schnittstelle des Druckdienstes',
    details:
      'Ältere Konten brauchen vielleicht eine frühere Schnittstelle. Gesendete Aufträge behalten ihre Schnittstelle.',
  },
  extendedCalls: {
    label: 'Mein Konto kann Aufträge lesen, bestätigen und stornieren',
    details:
      'Ist dies aus, werden Druckaufträge direkt angelegt, und Platen kann sie beim Druckdienst nicht stornieren.',
  },
  legacyHost: {
    label: 'Server der früheren Schnittstelle',
    details: 'Auf dem Testserver kosten Aufträge nichts, und es wird nichts gedruckt.',
  },
  currency: {
    label: 'Währung der Druckaufträge',
    details:
      'Ein Code wie EUR. Ohne Angabe gilt die Währung Ihres Shops, falls der Druckdienst sie unterstützt, sonst US-Dollar.',
  },
  release: { label: 'Wann Bestellungen gedruckt werden' },
  dailyReleaseAt: {
    label: 'Uhrzeit der täglichen Freigabe',
    details: 'Eine Uhrzeit wie 18:00 in der Zeitzone Ihres Shops. Sie gilt nur für die tägliche Freigabe.',
  },
  delayMinutes: {
    label: 'Wartezeit vor dem Druck',
    details: 'In dieser Zeit können Sie oder der Käufer die Bestellung kostenlos ändern oder stornieren.',
  },
  approvalRules: {
    label: 'Bestellungen, die Ihre Freigabe brauchen',
    details: 'Diese Bestellungen warten auf Sie, auch wenn andere automatisch gedruckt werden.',
  },
  'approvalRules.minimumTotal': {
    label: 'Ab einem Bestellwert von',
    details: 'Ein Betrag wie 500.00 in der Währung Ihres Shops.',
  },
  'approvalRules.productTags': { label: 'Mit einem Produkt, das einen dieser Tags hat', details: LIST },
  'approvalRules.firstTimeBuyers': { label: 'Von Käufern, die zum ersten Mal bestellen' },
  unpaidOrders: { label: 'Unbezahlte Bestellungen' },
  highRiskOrders: {
    label: 'Bestellungen, die Shopify als wahrscheinlichen Betrug einstuft',
    details: 'Sollen sie warten, wartet jede neue Bestellung zuerst bis zu einer Stunde auf Shopifys Betrugsanalyse.',
  },
  testOrders: { label: 'Testbestellungen' },
  takesOrdersFrom: {
    label: 'Bestellungen ab diesem Tag drucken',
    details:
      'Bei einem früheren Tag werden bezahlte, noch nicht ausgeführte Bestellungen seitdem ebenfalls gedruckt. Ein Tag vor mehr als 60 Tagen braucht eine Berechtigung.',
  },
  sendsRestOfHeldOrders: {
    label: 'Übrige Artikel einer angehaltenen Bestellung drucken',
    details: 'Der Käufer erhält dann mehrere Pakete, und Sie bezahlen jedes davon.',
  },
  leavesDrafts: {
    label: 'Druckaufträge als Entwürfe belassen',
    details: 'Es wird nichts gedruckt oder berechnet, bis jemand den Entwurf beim Druckdienst freigibt.',
  },
  printsAtMerchantLocations: {
    label: 'Auch Artikel an Ihren eigenen Standorten drucken',
    details: 'Ist dies aus, druckt Platen nur Artikel, die Ihr Shop Platens Standort zuweist.',
  },
  submitsRequests: {
    label: 'Ausführung an Platens Standort automatisch anfordern',
    details: 'Ist dies aus, muss jemand die Ausführung jeder Bestellung im Shop anfordern.',
  },
  shippingRules: {
    label: 'Regeln',
    details:
      'Es gilt die erste passende Regel, die der Druckdienst erfüllen kann. Alle Bedingungen einer Regel müssen erfüllt sein.',
  },
  'shippingRules.name': { label: 'Name', details: 'Der Name erscheint im Verlauf der Bestellung.' },
  'shippingRules.when': {
    label: 'Die Regel gilt für Bestellungen',
    details: 'Ohne Bedingung gilt sie für jede Bestellung.',
  },
  'shippingRules.when.countries': { label: 'In diese Länder', details: 'Ländercodes wie DE, AT.' },
  'shippingRules.when.title': {
    label: 'Deren Versandoption im Checkout enthält',
    details: 'Ein Teil des Titels wie Express. Groß- und Kleinschreibung wird nicht unterschieden.',
  },
  'shippingRules.when.code': { label: 'Deren Versandoption diesen Code hat' },
  'shippingRules.when.skus': { label: 'Mit diesen SKUs', details: LIST },
  'shippingRules.when.productUids': { label: 'Mit diesen Druckprodukten', details: LIST },
  'shippingRules.when.productTags': { label: 'Mit Produkten, die diese Tags haben', details: LIST },
  'shippingRules.when.lines': { label: 'Wie viele Artikel diese SKUs, Druckprodukte oder Tags haben müssen' },
  'shippingRules.choose': { label: 'Die Regel wählt' },
  'shippingRules.choose.by': { label: 'Von den passenden Versandarten' },
  'shippingRules.choose.types': {
    label: 'Versandarten dieser Typen',
    details: 'Zum Beispiel normal, standard oder express.',
  },
  'shippingRules.choose.methodUids': { label: 'Diese Versandarten', details: LIST },
  'shippingRules.choose.days': { label: 'Versandarten mit Ankunft innerhalb von' },
  'shippingRules.choose.date': { label: 'Versandarten mit Ankunft bis' },
  'shippingRules.choose.mostParcels': { label: 'Versandarten mit höchstens so vielen Paketen' },
  'shippingRules.choose.incoTerms': { label: 'Versandarten mit diesen Lieferbedingungen', details: 'Wie DDP.' },
  allowMultipleQuotes: {
    label: 'Mehrere Druckereien für eine Bestellung erlauben',
    details:
      'Der Käufer erhält dann vielleicht mehrere Pakete. Ist dies aus, warten solche Bestellungen auf Ihre Entscheidung.',
  },
  liveRates: {
    label: 'Versandpreise des Druckdienstes im Checkout anbieten',
    details:
      'Käufer sehen die tatsächlichen Preise und wählen eine Versandart. Dies braucht einen Shopify-Tarif, der Versandpreise von Apps erlaubt, und eine Berechtigung.',
  },
  rateMargin: { label: 'Ihr Aufschlag', details: 'Er wird zum Preis des Druckdienstes addiert.' },
  'rateMargin.percent': { label: 'Prozent', details: 'Zum Beispiel 10.' },
  'rateMargin.amount': { label: 'Betrag', details: 'Zum Beispiel 0.50 in der Währung Ihres Shops.' },
  rateRounding: {
    label: 'Rundung',
    details: 'Preise werden aufgerundet. Füllen Sie ein Feld aus, oder lassen Sie beide leer.',
  },
  'rateRounding.to': { label: 'Auf ein Vielfaches von', details: 'Zum Beispiel 0.50.' },
  'rateRounding.ending': { label: 'Auf einen Preis mit der Endung', details: 'Zum Beispiel 0.99.' },
  ratesFreeFrom: {
    label: 'Kostenloser Versand ab einem Warenwert von',
    details: 'Der günstigste Preis ist dann 0. Ohne Angabe ist der Versand nie kostenlos.',
  },
  rateNames: { label: 'Namen im Checkout', details: 'Ohne Angabe erscheinen englische Namen.' },
  'rateNames.normal': { label: 'Economy' },
  'rateNames.standard': { label: 'Standard' },
  'rateNames.express': { label: 'Express' },
  fallbackRates: {
    label: 'Ersatzpreise',
    details:
      'Der Checkout zeigt sie, wenn der Druckdienst nicht rechtzeitig antwortet. Ohne sie bietet er vielleicht keinen Versand an.',
  },
  'fallbackRates.name': { label: 'Name im Checkout' },
  'fallbackRates.countries': { label: 'Länder', details: COUNTRIES },
  'fallbackRates.amount': { label: 'Preis pro Bestellung', details: 'Zum Beispiel 6.90.' },
  'fallbackRates.perItem': { label: 'Zuzüglich eines Preises pro Artikel' },
  'fallbackRates.type': { label: 'Typ' },
  ownStockRates: {
    label: 'Versandpreise für Artikel, die Sie selbst versenden',
    details: 'Sie werden zum Preis des Druckdienstes addiert, wenn ein Warenkorb beides enthält.',
  },
  'ownStockRates.countries': { label: 'Länder', details: COUNTRIES },
  'ownStockRates.amount': { label: 'Preis pro Bestellung', details: 'Zum Beispiel 4.90.' },
  'ownStockRates.perItem': { label: 'Zuzüglich eines Preises pro Artikel' },
  'ownStockRates.alone': {
    label: 'Auch für einen Teil des Warenkorbs ohne gedruckte Artikel verwenden',
    details: 'Schalten Sie dies nur ein, wenn dieser Teil keinen anderen Versandpreis hat.',
  },
  fallbackEmail: {
    label: 'E-Mail-Adresse für Bestellungen ohne gültige E-Mail-Adresse',
    details: 'Nachrichten des Zustellers gehen an diese Adresse. Ohne Angabe gilt die Kontakt-E-Mail Ihres Shops.',
  },
  postCodePlaceholder: {
    label: 'Postleitzahl für Länder ohne Postleitzahlen',
    details: 'Der Druckdienst verlangt für jede Adresse eine Postleitzahl.',
  },
  returnAddress: {
    label: 'Absender auf dem Paket',
    details: 'Sind alle Felder leer, gilt der Absender Ihres Druckkontos.',
  },
  'returnAddress.companyName': { label: 'Firma' },
  'returnAddress.addressLine1': { label: 'Straße und Hausnummer' },
  'returnAddress.addressLine2': { label: 'Adresszusatz' },
  'returnAddress.postCode': { label: 'Postleitzahl' },
  'returnAddress.city': { label: 'Ort' },
  'returnAddress.state': {
    label: 'Bundesstaat oder Provinz',
    details: 'Ein Code wie CA, falls das Land Bundesstaaten hat.',
  },
  'returnAddress.country': { label: 'Land', details: 'Ein Code wie DE.' },
  'returnAddress.email': { label: 'E-Mail' },
  'returnAddress.phone': { label: 'Telefon' },
  notifyCustomer: {
    label: 'Käufer über den Versand benachrichtigen',
    details: 'Ihr Shop sendet seine eigene Versandbestätigung mit dem Sendungslink.',
  },
  gatherSeconds: {
    label: 'Sendungsnummern sammeln, bevor der Käufer benachrichtigt wird',
    details: 'Eine Bestellung mit mehreren Paketen führt dann zu einer Nachricht statt zu mehreren.',
  },
  noTrackingDays: {
    label: 'Auf eine fehlende Sendungsnummer warten',
    details: 'Danach gilt die nächste Einstellung.',
  },
  fulfillsWithoutTracking: {
    label: 'Bestellung dann ohne Sendungsnummer als ausgeführt markieren',
    details: 'Ist dies aus, wartet die Bestellung auf Ihre Entscheidung.',
  },
  packingSlip: {
    label: 'Lieferscheine',
    details:
      'Drucken Sie Lieferscheine im Drucken-Menü Ihrer Bestellungen. Sie zeigen auch Ihren Absender, den Sie unter „Adressen“ eingeben.',
  },
  'packingSlip.logoUrl': { label: 'Adresse Ihres Logos', details: 'Zum Beispiel https://cdn.example.com/logo.png.' },
  'packingSlip.message': {
    label: 'Nachricht auf jedem Lieferschein',
    details: 'Zum Beispiel „Vielen Dank für Ihre Bestellung!“',
  },
  'packingSlip.printsNote': {
    label: 'Notiz der Bestellung als Grußbotschaft drucken',
    details: 'In den meisten Themes können Käufer die Notiz im Warenkorb eingeben.',
  },
  tagsOrders: {
    label: 'Bestellungen mit Tags versehen',
    details:
      'Ihre Bestellliste zeigt dann den Druckstatus, etwa „platen: printing“. Ihre eigenen Tags bleiben unverändert.',
  },
  writesOrderMetafields: {
    label: 'Druckstatus in Metafelder der Bestellungen schreiben',
    details:
      'Die Seite einer Bestellung zeigt dann Druckstatus, Referenzen und erwartete Lieferung. Käufer sehen Status und erwartete Lieferung, wenn Sie Platens Block zu deren Bestellseite hinzufügen.',
  },
  writesConnectionStatus: {
    label: 'Verbindungsstatus in Metafelder der Produkte schreiben',
    details: 'Die Seiten von Produkten und Varianten zeigen dann, ob sie beim Druckdienst verbunden sind.',
  },
  holdsInStore: {
    label: 'Bestellungen auch im Shop anhalten',
    details: 'Während eine Bestellung auf Ihre Entscheidung wartet, kann sie niemand versehentlich ausführen.',
  },
  printsWaitingOrders: {
    label: 'Wartende Bestellungen drucken, sobald ihr Produkt verknüpft ist',
    details: 'Ist dies aus, fragt Platen Sie zuerst.',
  },
  printsEverything: {
    label: 'Jede Bestellung mit einem nicht verknüpften Produkt anhalten',
    details:
      'Ist dies aus, hält Platen nur Produkte an, die als Druckprodukte gelten. Alle anderen versenden Sie selbst.',
  },
  stockAtLocation: {
    label: 'Verbundene Varianten an Platens Standort führen',
    details: 'Ihr Shop weist deren Bestellungen dann Platen zu. Varianten ohne Versandpreise dort bleiben unverändert.',
  },
  hideOutOfStock: {
    label: 'Nicht lieferbare Varianten unverkäuflich machen',
    details:
      'Sie können nicht gekauft werden, solange der Druckdienst keinen Bestand hat. Danach macht Platen sie wieder verkäuflich.',
  },
  stockRegions: {
    label: 'Regionen, in die Sie liefern',
    details: 'Codes wie EU, US-CA. Ohne Angabe zählt der Bestand jeder Region.',
  },
  printLinkMetafields: {
    label: 'Druckverknüpfungen aus Metafeldern in diesem Namensraum lesen',
    details: 'Platen liest product_uid, file_url und page_count jeder Variante. Ohne Angabe liest es keine.',
  },
  printFileProperty: {
    label: 'Artikeleigenschaft mit der Druckdatei des Käufers',
    details: 'Der Name der Eigenschaft, die die Adresse der Datei enthält, für personalisierte Produkte.',
  },
  printFileHosts: {
    label: 'Hosts, von denen Druckdateien der Käufer kommen dürfen',
    details: 'Wie files.example.com oder *.example.com. Dateien von anderen Hosts werden abgelehnt.',
  },
  printStoreId: {
    label: 'ID dieses Shops beim Druckdienst',
    details:
      'Platen erfährt sie mit dem ersten Ereignis zu einem Ihrer Produkte. Geben Sie sie nur ein, wenn Sie sie kennen.',
  },
  retentionDays: {
    label: 'Wie lange Adressen nach Abschluss einer Bestellung gespeichert werden',
    details: 'Danach löscht Platen die Adressen. Status und Kosten bleiben gespeichert.',
  },
  sendsCustomerId: {
    label: 'Kundennummer an den Druckdienst senden',
    details: 'Der Druckdienst kann dann Bestellungen desselben Käufers erkennen. Namen werden dafür nicht gesendet.',
  },
  alertEmails: {
    label: 'E-Mail-Adressen',
    details: 'Höchstens 5 Adressen, durch Kommas getrennt. Die Nachrichten enthalten keine Daten Ihrer Käufer.',
  },
  alertLanguage: { label: 'Sprache der Nachrichten' },
  weeklyDigest: {
    label: 'Wöchentliche Übersicht',
    details:
      'Montagmorgens nach einer Woche mit Bestellungen: Bestellungen, Zeit bis zum Versand, Kosten und Marge sowie die Gründe für angehaltene Bestellungen.',
  },
};
