import type { MessageCatalog } from '../create-translator.ts';

/** The rules for settings, requests and other input. In a message, a rule follows the name of its field. */
export const settings: MessageCatalog = {
  '{field:field}: {rule:text}.': '{field:field}: {rule:text}.',
  '{rule:text}.': '{rule:text}.',
  '{namespace:field}.{key:field} {rule:text}.': '{namespace:field}.{key:field} {rule:text}.',
  '{rule:text} ({name:text})': '{rule:text} ({name:text})',
  'must be text': 'muss Text sein',
  'must be a number': 'muss eine Zahl sein',
  'must not contain {fields}': 'darf {fields} nicht enthalten',
  'must be a list': 'muss eine Liste sein',
  'must be an object': 'muss ein Objekt sein',
  'must be an address that everyone can open, such as https://cdn.example.com/logo.png: with https, without spaces, a port or a password':
    'muss eine Adresse sein, die jeder öffnen kann, etwa https://cdn.example.com/logo.png: mit https, ohne Leerzeichen, Port und Passwort',
  'must be a list of 1 to {number} order IDs': 'muss eine Liste von 1 bis {number} Bestell-IDs sein',
  'must be the ID of an order': 'muss die ID einer Bestellung sein',
  'must not be empty': 'darf nicht leer sein',
  'is not valid': 'ist ungültig',
  'is not a known field': 'ist kein bekanntes Feld',
  'is not a known field; the fields are {fields}': 'ist kein bekanntes Feld. Die Felder sind {fields}',
  'contains an invalid character': 'enthält ein unzulässiges Zeichen',
  'is too long': 'ist zu lang',
  'must not contain control characters': 'darf keine Steuerzeichen enthalten',
  'must be a whole number': 'muss eine ganze Zahl sein',
  'must be a whole number from {least} to {most}': 'muss eine ganze Zahl von {least} bis {most} sein',
  'must be at least 1': 'muss mindestens 1 sein',
  'must be at most {number:number}': 'darf höchstens {number:number} sein',
  'must be at most {number} characters': 'darf höchstens {number} Zeichen haben',
  'must have at most {number} characters': 'darf höchstens {number} Zeichen haben',
  'must be one text of at most {number} characters': 'muss ein Text mit höchstens {number} Zeichen sein',
  'must be one of {values}': 'muss einer dieser Werte sein: {values}',
  'must be newest or oldest': 'muss newest oder oldest sein',
  'must be a day such as 2026-11-21, or a time such as 2026-11-21T08:00:00Z':
    'muss ein Tag wie 2026-11-21 oder ein Zeitpunkt wie 2026-11-21T08:00:00Z sein',
  'must be 1 to {number} IDs of variants, separated by commas':
    'muss aus 1 bis {number} IDs von Varianten bestehen, durch Kommas getrennt',
  'must be later than since': 'muss nach since liegen',
  'must be true or false': 'muss true oder false sein',
  'provide this parameter only once': 'geben Sie diesen Parameter nur einmal an',
  'provide either productId or variantId, as digits': 'geben Sie die Ziffern von entweder productId oder variantId an',
  'provide only one of variantId, sku or all': 'geben Sie nur variantId, sku oder all an',
  'omit either this field or copyFrom': 'lassen Sie dieses Feld oder copyFrom weg',
  'must be an object with variantId or sku': 'muss ein Objekt mit variantId oder sku sein',
  'must be the reference of a print order': 'muss die Referenz eines Druckauftrags sein',
  'must be the ID of a request': 'muss die ID einer Anfrage sein',
  'must be the "next" value of the previous page': 'muss der Wert „next“ der vorigen Seite sein',
  "enter either productId or variantId. Use the number at the end of the page's address in the store's admin, or {prefix} followed by that number":
    'geben Sie productId oder variantId an. Verwenden Sie die Zahl am Ende der Adresse der Seite im Adminbereich des Shops, oder {prefix} und diese Zahl',
  'must be at most 100 characters': 'darf höchstens 100 Zeichen haben',
  'must be a country code such as DE': 'muss ein Ländercode wie DE sein',
  'must be a two-letter country code, such as US': 'muss ein Ländercode mit zwei Buchstaben sein, etwa US',
  'must be at most 1000': 'darf höchstens 1000 sein',
  'must contain a product': 'muss ein Produkt enthalten',
  'must be a state or province code in this country, such as CA':
    'muss ein Code eines Bundesstaats oder einer Provinz dieses Landes sein, etwa CA',
  'must be an amount in {currency}, such as 40': 'muss ein Betrag in {currency} sein, etwa 40',
  'this product has no print link': 'dieses Produkt hat keine Druckverknüpfung',
  'must be a currency that the print service accepts, such as USD':
    'muss eine Währung sein, die der Druckdienst akzeptiert, etwa USD',
  'must be the number of pages in the product: a whole number of at least 1':
    'muss die Seitenzahl des Produkts sein: eine ganze Zahl ab 1',
  'must be the UID of an attribute value': 'muss die UID eines Attributwerts sein',
  'must be a whole number from 0 to {number}: use the previous page\'s "next" value':
    'muss eine ganze Zahl von 0 bis {number} sein. Verwenden Sie den Wert „next“ der vorigen Seite',
  'must be the UID of an attribute': 'muss die UID eines Attributs sein',
  'must be a list of value UIDs': 'muss eine Liste von UIDs sein',
  'must have at most {number} values': 'darf höchstens {number} Werte haben',
  'must be an object of attribute UIDs, each with a list of value UIDs':
    'muss ein Objekt aus UIDs von Attributen sein, jede mit einer Liste von UIDs der Werte',
  'must have at most {number} attributes': 'darf höchstens {number} Attribute haben',
  'must be an ID in the store': 'muss eine ID im Shop sein',
  "must be the number at the end of the object's address in the store, or {prefix} and that number":
    'muss die Zahl am Ende der Adresse des Objekts im Shop sein, oder {prefix} und diese Zahl',
  'must be the ID of a template': 'muss die ID einer Vorlage sein',
  'must be a list of product IDs in the store': 'muss eine Liste von Produkt-IDs im Shop sein',
  'must have at least one product': 'muss mindestens ein Produkt enthalten',
  'must have at most {number} products': 'darf höchstens {number} Produkte enthalten',
  'none of the products has this variant. Enter a variant of one of the products':
    'keines der Produkte hat diese Variante. Geben Sie eine Variante eines der Produkte an',
  "must be the ID of your store in the print service's dashboard":
    'muss die ID Ihres Shops im Dashboard des Druckdienstes sein',
  'must be {what:text}': 'muss Folgendes sein: {what:text}',
  'the name of a placeholder of the template': 'der Name eines Platzhalters der Vorlage',
  'the ID of a template': 'die ID einer Vorlage',
  "the product's title": 'der Titel des Produkts',
  'a product type': 'ein Produkttyp',
  'a vendor': 'ein Anbieter',
  'a tag': 'ein Tag',
  'the ID of a template variant': 'die ID einer Variante der Vorlage',
  'must have at most {number} tags': 'darf höchstens {number} Tags haben',
  'must be web or global': 'muss web oder global sein',
  'the template has no variants. Add a variant at the print service':
    'die Vorlage hat keine Varianten. Fügen Sie beim Druckdienst eine hinzu',
  '{name:words} of the variant {variant:words} has no file. Add a file for all variants to "imagePlaceholders", or for this variant to its entry in "variants"':
    '{name:words} der Variante {variant:words} hat keine Datei. Geben Sie eine Datei für alle Varianten oder für diese Variante an',
  'the template has no such {what:text}. It has none':
    'die Vorlage hat keinen solchen Eintrag ({what:text}). Sie hat keinen',
  'the template has no such {what:text}. It has {names:words}':
    'die Vorlage hat keinen solchen Eintrag ({what:text}). Sie hat {names:words}',
  placeholder: 'Platzhalter',
  variant: 'Variante',
  'appears twice. Use it only once': 'kommt zweimal vor. Verwenden Sie den Eintrag nur einmal',
  'must be on or off': 'muss an oder aus sein',
  'must be an amount such as 12.50': 'muss ein Betrag wie 12.50 sein',
  'has no field {names:words}; its fields are {fields}': 'hat kein Feld {names:words}. Die Felder sind {fields}',
  'must be an object with the fields {fields}': 'muss ein Objekt mit den Feldern {fields} sein',
  'must be a key; an empty value changes nothing. To remove the key, disconnect the print account':
    'muss ein Schlüssel sein; ein leerer Wert ändert nichts. Um den Schlüssel zu entfernen, trennen Sie das Druckkonto',
  'must be draft or direct': 'muss draft oder direct sein',
  'must be current, v2 or v1': 'muss current, v2 oder v1 sein',
  'must be live or test': 'muss live oder test sein',
  'must be a date and time such as 2026-11-21T00:00:00Z': 'muss ein Zeitpunkt wie 2026-11-21T00:00:00Z sein',
  'must not be before 1970': 'darf nicht vor 1970 liegen',
  'must be at most a year ahead': 'darf höchstens ein Jahr in der Zukunft liegen',
  'must not be in the future': 'darf nicht in der Zukunft liegen',
  'must be the API key of the print service, without spaces':
    'muss der API-Schlüssel des Druckdienstes sein, ohne Leerzeichen',
  'must be the name of an HTTP header': 'muss der Name eines HTTP-Headers sein',
  'must be 8 to 256 visible characters': 'muss aus 8 bis 256 sichtbaren Zeichen bestehen',
  'must be a metafield namespace of your own, such as custom: 3 to 255 letters, digits, - and _, and not a namespace of an app (app--) or of Shopify (shopify--)':
    'muss ein eigener Namensraum für Metafelder sein, etwa custom: 3 bis 255 Buchstaben, Ziffern, - und _, und kein Namensraum einer App (app--) oder von Shopify (shopify--)',
  'must be host names such as files.example.com, or *.example.com for all its subdomains, without https:// or a path':
    'müssen Hostnamen wie files.example.com sein, oder *.example.com für alle Subdomains, ohne https:// und ohne Pfad',
  "must be the ID of the store in the print service's dashboard":
    'muss die ID des Shops im Dashboard des Druckdienstes sein',
  'must have at most {number} hosts': 'darf höchstens {number} Hosts enthalten',
  'must be country codes such as DE (ISO 3166-1 alpha-2), or * for every country':
    'müssen Ländercodes wie DE sein (ISO 3166-1 alpha-2), oder * für alle Länder',
  'must be a list of countries such as DE, AT, or * for every country':
    'muss eine Liste von Ländern wie DE, AT sein, oder * für alle Länder',
  'must name a country, or * for every country': 'muss ein Land nennen, oder * für alle Länder',
  'must have at most {number} countries': 'darf höchstens {number} Länder enthalten',
  'must be more than 0': 'muss größer als 0 sein',
  'must be less than 1, such as 0.99': 'muss kleiner als 1 sein, etwa 0.99',
  'must be a list of rows': 'muss eine Liste von Einträgen sein',
  'must have at most {number} rows': 'darf höchstens {number} Einträge enthalten',
  'must be either a multiple such as 0.50 or an ending such as 0.99':
    'muss entweder ein Vielfaches wie 0.50 oder eine Endung wie 0.99 sein',
  'must be normal, standard or express': 'muss normal, standard oder express sein',
  'must be automatic, daily or by_hand': 'muss automatic, daily oder by_hand sein',
  'must be a time such as 18:00': 'muss eine Uhrzeit wie 18:00 sein',
  'must be ignore or draft': 'muss ignore oder draft sein',
  'must be hold or print': 'muss hold oder print sein',
  'must be wait or print': 'muss wait oder print sein',
  'must be country codes such as NO, SE (ISO 3166-1 alpha-2)':
    'müssen Ländercodes wie NO, SE sein (ISO 3166-1 alpha-2)',
  'must have 1 to 100 countries': 'muss 1 bis 100 Länder enthalten',
  'must be any or every': 'muss any oder every sein',
  'must have SKUs, print products or tags if it specifies how many items must have them':
    'braucht SKUs, Druckprodukte oder Tags, wenn festgelegt ist, wie viele Artikel sie haben müssen',
  'must be a date such as 2026-12-24': 'muss ein Datum wie 2026-12-24 sein',
  'must be cheapest or fastest': 'muss cheapest oder fastest sein',
  'must be a list of rules': 'muss eine Liste von Regeln sein',
  'must have at most {number} rules': 'darf höchstens {number} Regeln enthalten',
  'must be unique among the rules': 'darf nur einmal unter den Regeln vorkommen',
  'must be a list of {what:text}': 'muss eine Liste sein: {what:text}',
  'must have 1 to {number} {what:text}': 'muss 1 bis {number} Einträge haben: {what:text}',
  SKUs: 'SKUs',
  tags: 'Tags',
  'product UIDs': 'Produkt-UIDs',
  'UIDs of shipment methods': 'UIDs von Versandarten',
  'types such as "normal" or "express"': 'Typen wie „normal“ oder „express“',
  'terms such as "DDP"': 'Lieferbedingungen wie „DDP“',
  'must be a stock region such as EU or US-CA': 'muss eine Region wie EU oder US-CA sein',
  'must name a region, or be empty': 'muss eine Region nennen oder leer sein',
  'must name at most {number} regions': 'darf höchstens {number} Regionen nennen',
  'There is no setting {name:words}. The settings are: {names}.':
    'Es gibt keine Einstellung {name:words}. Die Einstellungen sind: {names}.',
  'The settings must be an object that maps names to new values.':
    'Die Einstellungen müssen ein Objekt sein, das Namen neue Werte zuordnet.',
  'submit: Platen must be able to confirm drafts. Also {remedy:text}.':
    'submit: Platen muss Entwürfe bestätigen können. Außerdem nötig: {remedy:text}.',
  'choose the current interface of the print service': 'wählen Sie die aktuelle Schnittstelle des Druckdienstes',
  'switch on “My account can read, confirm and cancel orders”':
    'schalten Sie „Mein Konto kann Aufträge lesen, bestätigen und stornieren“ ein',
  '{field:field}: drafts can be left at the print service only if print orders are created as drafts, your account can read, confirm and cancel orders, and you use the current interface of the print service. Otherwise, do not leave print orders as drafts.':
    '{field:field}: Entwürfe können nur beim Druckdienst bleiben, wenn Druckaufträge als Entwurf angelegt werden, Ihr Konto Aufträge lesen, bestätigen und stornieren kann und die aktuelle Schnittstelle des Druckdienstes gilt. Sonst belassen Sie Druckaufträge nicht als Entwürfe.',
  "legacyHost: this installation has no test host. Platen's operator must set PRINT_LEGACY_TEST_URL first.":
    'legacyHost: Diese Installation hat keinen Testserver. Der Betreiber von Platen muss zuerst PRINT_LEGACY_TEST_URL setzen.',
  'The key could not be tested: {why:text}. Nothing was changed. Try again in a few minutes.':
    'Der Schlüssel konnte nicht getestet werden: {why:text}. Es wurde nichts geändert. Versuchen Sie es in einigen Minuten erneut.',
  'Nothing was changed.': 'Es wurde nichts geändert.',
  'No key is saved yet. Enter the key first.': 'Es ist noch kein Schlüssel gespeichert. Geben Sie ihn zuerst ein.',
  'Copy the key again from your print service account.':
    'Kopieren Sie den Schlüssel erneut aus Ihrem Konto beim Druckdienst.',
  'The print service does not accept this key.': 'Der Druckdienst akzeptiert diesen Schlüssel nicht.',
  'Enter the key of your print account first.': 'Geben Sie zuerst den Schlüssel Ihres Druckkontos ein.',
  "{field:field}: the store has not granted Platen the permission {scope}, which this setting needs. Open Platen in the store's admin, and turn on the setting there. The store then requests the permission.":
    '{field:field}: Der Shop hat Platen die Berechtigung {scope} nicht erteilt, die diese Einstellung braucht. Öffnen Sie Platen im Adminbereich des Shops, und schalten Sie die Einstellung dort ein. Der Shop fragt dann nach der Berechtigung.',
  "since: Platen can read orders placed before {time}, 60 days ago, only with the permission {scope}, which the store has not granted. Choose a later time, or have Shopify approve the permission for the app and grant it on Platen's page in the store's admin.":
    'since: Bestellungen vor {time} (vor 60 Tagen) kann Platen nur mit der Berechtigung {scope} lesen, die der Shop nicht erteilt hat. Wählen Sie einen späteren Zeitpunkt, oder lassen Sie Shopify die Berechtigung für die App freigeben, und erteilen Sie sie auf Platens Seite im Adminbereich.',
  'must be email addresses such as orders@example.com':
    'muss aus E-Mail-Adressen wie bestellungen@example.com bestehen',
  'must have at most {number} email addresses': 'darf höchstens {number} E-Mail-Adressen enthalten',
  'must be en or de': 'muss en oder de sein',
  'must be the address of an incoming webhook, such as https://hooks.slack.com/services/…: with https, without spaces, a port or a password':
    'muss die Adresse eines eingehenden Webhooks sein, etwa https://hooks.slack.com/services/…: mit https, ohne Leerzeichen, Port und Passwort',
  "alertEmails: this installation cannot send emails. Platen's operator must set SMTP_URL first.":
    'alertEmails: Diese Installation kann keine E-Mails senden. Der Betreiber von Platen muss zuerst SMTP_URL setzen.',
  "This installation cannot send emails. Platen's operator must set up a mail server first.":
    'Diese Installation kann keine E-Mails senden. Der Betreiber von Platen muss zuerst einen Mailserver einrichten.',
  'The mail server does not respond. Platen retries alerts until it does.':
    'Der Mailserver antwortet nicht. Platen sendet Benachrichtigungen erneut, bis er antwortet.',
  "The mail server refuses Platen's login. Platen's operator must correct it.":
    'Der Mailserver lehnt die Anmeldung von Platen ab. Der Betreiber von Platen muss sie korrigieren.',
  'The mail server refuses at least one of the email addresses. Check the addresses.':
    'Der Mailserver lehnt mindestens eine der E-Mail-Adressen ab. Prüfen Sie die Adressen.',
  "The mail server refuses the message. Platen's operator must check the sender and the mail server.":
    'Der Mailserver lehnt die Nachricht ab. Der Betreiber von Platen muss den Absender und den Mailserver prüfen.',
  'The chat does not respond. Platen retries alerts until it does.':
    'Der Chat antwortet nicht. Platen sendet Benachrichtigungen erneut, bis er antwortet.',
  'The chat refuses the message. Check that its incoming webhook still exists, and enter its current address.':
    'Der Chat lehnt die Nachricht ab. Prüfen Sie, ob sein eingehender Webhook noch existiert, und geben Sie dessen aktuelle Adresse ein.',
  'The address of the chat does not lead to a public server. Enter the address of an incoming webhook.':
    'Die Adresse des Chats führt zu keinem öffentlichen Server. Geben Sie die Adresse eines eingehenden Webhooks ein.',
  'Nobody receives alerts yet. Save an email address or a chat first.':
    'Noch erhält niemand Benachrichtigungen. Speichern Sie zuerst eine E-Mail-Adresse oder einen Chat.',
};
