import type { MessageCatalog } from '../create-translator.ts';

/** The planning of an order: its address, its approval and its changes in the store. */
export const plan: MessageCatalog = {
  'The print service accepts at most {limit} characters in the field {field:text}, but this address has {length}.':
    'Der Druckdienst akzeptiert im Feld {field:text} höchstens {limit} Zeichen, diese Adresse hat aber {length}.',
  'The print service requires the field {field:text}, but it is empty in this address.':
    'Der Druckdienst verlangt das Feld {field:text}, in dieser Adresse ist es aber leer.',
  'In this country, the print service accepts no Latin letters in the field {field:text}. The field has {length}.':
    'In diesem Land akzeptiert der Druckdienst im Feld {field:text} keine lateinischen Buchstaben. Das Feld hat {length}.',
  'In this country, the print service accepts at most {limit} Latin letters in the field {field:text}. The field has {length}.':
    'In diesem Land akzeptiert der Druckdienst im Feld {field:text} höchstens {limit} lateinische Buchstaben. Das Feld hat {length}.',
  "The print service requires the field {field:text} to be written in this country's script.":
    'Der Druckdienst verlangt das Feld {field:text} in der Schrift dieses Landes.',
  'The order has no email that the print service accepts, and the shop has no valid fallback email.':
    'Die Bestellung hat keine E-Mail-Adresse, die der Druckdienst akzeptiert, und der Shop hat keine Ersatzadresse.',
  'The print service requires a state in this country, but {what:text}.':
    'Der Druckdienst verlangt in diesem Land einen Bundesstaat oder eine Provinz, aber {what:text}.',
  'the address has no state': 'die Adresse enthält keine Angabe dazu',
  'the state in the address is unknown': 'die Angabe in der Adresse ist unbekannt',
  'An order from a company in Brazil needs a state tax ID (IE), but this order has none.':
    'Eine Bestellung einer Firma in Brasilien braucht eine Steuerregistrierung (IE), diese Bestellung hat aber keine.',
  'An order from a company in Brazil needs a state, but the address has none.':
    'Eine Bestellung einer Firma in Brasilien braucht einen Bundesstaat, die Adresse hat aber keinen.',
  "The order's CPF or CNPJ is invalid: its length or its check digits are wrong.":
    'Die CPF oder CNPJ der Bestellung ist ungültig: Ihre Länge oder ihre Prüfziffern sind falsch.',
  "An order to Brazil needs the recipient's CPF or CNPJ, but this order has none.":
    'Eine Bestellung nach Brasilien braucht die CPF oder CNPJ des Empfängers, diese Bestellung hat aber keine.',
  "The store hides this order's {fields:list} from Platen, which is not approved for protected customer data.":
    'Der Shop zeigt Platen diese Angaben der Bestellung nicht: {fields:list}. Platen ist nicht für geschützte Kundendaten freigegeben.',
  'The address was adjusted for the print service: {changes:list}.':
    'Die Adresse wurde an den Druckdienst angepasst: {changes:list}.',
  'spaces and invisible characters': 'Leerzeichen und unsichtbare Zeichen',
  'rewrapped at a space, at most {limit} characters per line':
    'an einem Leerzeichen neu umbrochen mit höchstens {limit} Zeichen pro Zeile',
  'rewrapped at a space, at most {limit} characters per line; abbreviated words: {words}':
    'an einem Leerzeichen neu umbrochen mit höchstens {limit} Zeichen pro Zeile, abgekürzte Wörter: {words}',
  'in uppercase letters': 'in Großbuchstaben',
  'left out: this version of the interface has no such field':
    'weggelassen: diese Version der Schnittstelle hat kein solches Feld',
  'abbreviated words: {words}, at most {limit} characters': 'abgekürzte Wörter: {words}, höchstens {limit} Zeichen',
  'no email that the print service accepts: the fallback email is used':
    'keine E-Mail-Adresse, die der Druckdienst akzeptiert: es gilt die Ersatzadresse',
  'further words as initials, at most {limit} characters': 'weitere Wörter als Initialen, höchstens {limit} Zeichen',
  'no first name: the last name is used': 'kein Vorname: es gilt der Nachname',
  'no last name: taken from the first name': 'kein Nachname: aus dem Vornamen übernommen',
  'no name: the company is used': 'kein Name: es gilt die Firma',
  'left out: not a valid phone number': 'weggelassen: keine gültige Telefonnummer',
  'written in international form': 'in internationaler Schreibweise',
  'written in international form, without its extension': 'in internationaler Schreibweise ohne Durchwahl',
  'not required in this country: the placeholder is used': 'in diesem Land nicht üblich: es gilt der Platzhalter',
  'left out: over {limit} characters': 'weggelassen: über {limit} Zeichen',
  'the code or name that the print service accepts': 'der Code oder Name, den der Druckdienst akzeptiert',
  'without punctuation': 'ohne Satzzeichen',
  'left out because the app is not approved to read it (protected customer data)':
    'weggelassen, weil die App nicht dafür freigegeben ist (geschützte Kundendaten)',
  'This order needs approval: {why:list}.': 'Diese Bestellung braucht eine Freigabe: {why:list}.',
  'its total of {total:money} is at or above {minimum:money}':
    'ihr Bestellwert von {total:money} erreicht {minimum:money}',
  'the product with SKU {sku:words} has the tag "{tag:words}"':
    'das Produkt mit der SKU {sku:words} hat den Tag „{tag:words}“',
  'a product has the tag "{tag:words}"': 'ein Produkt hat den Tag „{tag:words}“',
  'the store has no earlier order from this buyer': 'der Shop kennt keine frühere Bestellung dieses Käufers',
  'this shop releases every order by hand': 'dieser Shop gibt jede Bestellung von Hand frei',
  'it covered a total of {before:money}, but the total is now {now:money}':
    'sie galt für einen Bestellwert von {before:money}, der jetzt bei {now:money} liegt',
  'units were added to the order later ({added:list})': 'später wurden Artikel hinzugefügt ({added:list})',
  '{units:number} of {sku:text}': '{units:number} × {sku:text}',
  '{units:number} of {sku:field}': '{units:number} × {sku:field}',
  'a line without a SKU': 'ein Artikel ohne SKU',
  'A line without a SKU': 'Ein Artikel ohne SKU',
  'The approval was withdrawn: {why:text}.': 'Die Freigabe wurde zurückgenommen: {why:text}.',
  'Someone put this order on hold.': 'Jemand hat diese Bestellung angehalten.',
  "The store does not show whether this is the buyer's first order.":
    'Der Shop zeigt nicht, ob dies die erste Bestellung des Käufers ist.',
  "The store's fraud analysis {says:text}.": 'Die Betrugsanalyse des Shops {says:text}.',
  'reports a high risk of fraud': 'meldet ein hohes Betrugsrisiko',
  'recommends canceling this order as likely fraud': 'empfiehlt, diese Bestellung wegen Betrugsverdachts zu stornieren',
  '{name:text}: the unit in this print order is no longer wanted.':
    '{name:text}: Das Stück in diesem Druckauftrag ist nicht mehr gewünscht.',
  '{name:text}: the {all} units in this print order are no longer wanted.':
    '{name:text}: Die {all} Stück in diesem Druckauftrag sind nicht mehr gewünscht.',
  '{name:text}: {gone} of the {all} units in this print order is no longer wanted.':
    '{name:text}: {gone} von {all} Stück in diesem Druckauftrag ist nicht mehr gewünscht.',
  '{name:text}: {gone} of the {all} units in this print order are no longer wanted.':
    '{name:text}: {gone} von {all} Stück in diesem Druckauftrag sind nicht mehr gewünscht.',
  '{name:text}: {units} unit is being printed, but its fulfillment was moved in the store to a location where Platen does not print.':
    '{name:text}: {units} Stück wird gedruckt, seine Ausführung wurde im Shop aber an einen Standort verschoben, an dem Platen nicht druckt.',
  '{name:text}: {units} units are being printed, but their fulfillment was moved in the store to a location where Platen does not print.':
    '{name:text}: {units} Stück werden gedruckt, ihre Ausführung wurde im Shop aber an einen Standort verschoben, an dem Platen nicht druckt.',
  'SKU {sku:words}': 'SKU {sku:words}',
  '{units} unit of {name:text} went to print before Platen was removed from this store.':
    '{units} Stück von {name:text} ging in den Druck, bevor Platen aus diesem Shop entfernt wurde.',
  '{units} units of {name:text} went to print before Platen was removed from this store.':
    '{units} Stück von {name:text} gingen in den Druck, bevor Platen aus diesem Shop entfernt wurde.',
  'Platen had to delete its record of the print order, and could not find these units at the print service.':
    'Platen musste seinen Eintrag zum Druckauftrag löschen und konnte diese Stücke beim Druckdienst nicht finden.',
  'Platen had to delete its record of the print order, and cannot search the print service without a key.':
    'Platen musste seinen Eintrag zum Druckauftrag löschen und kann beim Druckdienst ohne Schlüssel nicht suchen.',
  'Some units went to print before Platen was removed from this store, and Platen cannot cancel their print order.':
    'Ein Teil der Artikel ging in den Druck, bevor Platen aus diesem Shop entfernt wurde, und Platen kann deren Druckauftrag nicht stornieren.',
  "Platen must first read the order's print orders at the print service.":
    'Platen muss zuerst die Druckaufträge der Bestellung beim Druckdienst lesen.',
  'The database had no print order for {reference}. Platen found it at the print service and follows it again.':
    'In der Datenbank fehlte der Druckauftrag {reference}. Platen hat ihn beim Druckdienst gefunden und verfolgt ihn wieder.',
  'The database had no print order for {reference}. Platen found it at the print service and follows it again. The print service does not show its address, so Platen assumes the address that the store has now.':
    'In der Datenbank fehlte der Druckauftrag {reference}. Platen hat ihn beim Druckdienst gefunden und verfolgt ihn wieder. Der Druckdienst zeigt seine Adresse nicht, daher geht Platen von der Adresse aus, die der Shop jetzt hat.',
  'The database was restored, so Platen first looks for print orders that it lacks.':
    'Die Datenbank wurde wiederhergestellt, daher sucht Platen zuerst nach Druckaufträgen, die darin fehlen.',
  'The shipping address was changed ({names:list}) after the order was sent to print. The parcel will go to the old address.':
    'Die Lieferadresse wurde geändert ({names:list}), nachdem die Bestellung in den Druck ging. Das Paket geht an die alte Adresse.',
  'all of it': 'alles',
  'first name': 'Vorname',
  'last name': 'Nachname',
  firstName: 'Vorname',
  lastName: 'Nachname',
  companyName: 'Firma',
  addressLine1: 'Adresszeile 1',
  addressLine2: 'Adresszeile 2',
  postCode: 'Postleitzahl',
  email: 'E-Mail',
  phone: 'Telefon',
  federalTaxId: 'CPF oder CNPJ',
  stateTaxId: 'Steuerregistrierung (IE)',
  isBusiness: 'Firmenkunde',
  company: 'Firma',
  'CPF or CNPJ': 'CPF oder CNPJ',
  'state tax ID (IE)': 'Steuerregistrierung (IE)',
  'business address': 'Firmenadresse',
  'shipping address': 'Lieferadresse',
  'address line 1': 'Adresszeile 1',
  'address line 2': 'Adresszeile 2',
  'postal code': 'Postleitzahl',
  city: 'Ort',
  state: 'Bundesstaat oder Provinz',
  country: 'Land',
  '{reference} cannot be canceled: {why:text}.': '{reference} kann nicht storniert werden: {why:text}.',
  'Canceled in time: {references}.': 'Rechtzeitig storniert: {references}.',
  'Being canceled: {references}.': 'Wird storniert: {references}.',
  "Cancel it in the print service's dashboard if that is still possible. Otherwise, agree with the buyer on what to do.":
    'Stornieren Sie den Auftrag im Dashboard des Druckdienstes, falls das noch möglich ist. Sonst einigen Sie sich mit dem Käufer.',
  'Platen is canceling the print order at the print service.': 'Platen storniert den Druckauftrag beim Druckdienst.',
  'Stopped before printing: {references}.': 'Vor dem Druck gestoppt: {references}.',
  'Nothing has been printed.': 'Es wurde nichts gedruckt.',
  'the print service refused to cancel it': 'der Druckdienst lehnt die Stornierung ab',
  'it has left the print service': 'der Auftrag hat den Druckdienst verlassen',
  'these units are printed together with others that are still wanted and cannot be stopped separately':
    'diese Artikel werden mit anderen gedruckt, die weiterhin gewünscht sind, und lassen sich nicht einzeln stoppen',
  'Platen prints none of these lines. Fulfill them by hand, or move them to the location that ships them.':
    'Platen druckt keinen dieser Artikel. Führen Sie sie selbst aus, oder verschieben Sie sie an den Standort, der sie versendet.',
  'The buyer chose a pickup point, but the print service cannot deliver to one.':
    'Der Käufer hat einen Abholort gewählt, dorthin kann der Druckdienst aber nicht liefern.',
  'The order has no shipping address.': 'Die Bestellung hat keine Lieferadresse.',
  'This shop has no print account yet.': 'Dieser Shop hat noch kein Druckkonto.',
  'Another app already prints orders of this store through the same print account.':
    'Eine andere App druckt bereits Bestellungen dieses Shops über dasselbe Druckkonto.',
  'The line with SKU {sku:words}': 'Der Artikel mit der SKU {sku:words}',
  '{name:text} is not connected to a product at the print service.':
    '{name:text} ist beim Druckdienst mit keinem Produkt verbunden.',
  '{name:text} belongs to a variant that was deleted in the store.':
    '{name:text} gehört zu einer Variante, die im Shop gelöscht wurde.',
  '{name:text} has an unusable print file. {fault:text}': '{name:text} hat keine brauchbare Druckdatei. {fault:text}',
  '{name:text} has an unusable print file in the property {property:names}. {fault:text}':
    '{name:text} hat in der Eigenschaft {property:names} keine brauchbare Druckdatei. {fault:text}',
  '{name:text} is not printed: it was not linked to a print product when it was ordered.':
    '{name:text} wird nicht gedruckt: Bei der Bestellung gab es keine Verknüpfung mit einem Druckprodukt.',
  '{name:text} has no print link, so Platen does not know its print product and file.':
    '{name:text} hat keine Druckverknüpfung. Daher kennt Platen weder das Druckprodukt noch die Druckdatei.',
  "The file's address is longer than {length} characters.": 'Die Adresse der Datei hat mehr als {length} Zeichen.',
  'The file belongs to the whole bundle, so Platen does not know which line it is for. Have the app that sets the property add it to that line instead.':
    'Die Datei gehört zum ganzen Bundle, daher weiß Platen nicht, für welchen Artikel sie ist. Die App, die die Eigenschaft setzt, muss sie bei diesem Artikel eintragen.',
  'The property has more than one value.': 'Die Eigenschaft hat mehr als einen Wert.',
  'The property is empty.': 'Die Eigenschaft ist leer.',
  "The file's host is not allowed in this shop.": 'Der Host der Datei ist in diesem Shop nicht erlaubt.',
  'Then request the fulfillment again.': 'Fordern Sie dann die Ausführung erneut an.',
  'The lines of {reference} are now in another fulfillment order in the store.':
    'Die Artikel von {reference} gehören im Shop jetzt zu einem anderen Fulfillmentauftrag.',
  'The fulfillment of {reference} was canceled in the store.':
    'Die Ausführung von {reference} wurde im Shop storniert.',
  'The print service has a print order for this order that Platen does not know. Someone must resolve the hold for that print order first.':
    'Der Druckdienst hat für diese Bestellung einen Druckauftrag, den Platen nicht kennt. Zuerst muss jemand über diesen Druckauftrag entscheiden.',
  'The database was restored, so Platen must first search the print service for unknown print orders of this order.':
    'Die Datenbank wurde wiederhergestellt. Platen muss beim Druckdienst zuerst nach unbekannten Druckaufträgen dieser Bestellung suchen.',
  'The print service has the order {reference}, which belongs to this order but is unknown to Platen.':
    'Der Druckdienst hat den Auftrag {reference}, der zu dieser Bestellung gehört, den Platen aber nicht kennt.',
  'Order {name} was received.': 'Die Bestellung {name} ist eingegangen.',
  'Not printed by Platen: {lines:list}.': 'Nicht von Platen gedruckt: {lines:list}.',
  'Not printed by Platen: {lines:list} and {more} more line.':
    'Nicht von Platen gedruckt: {lines:list} und {more} weiterer Artikel.',
  'Not printed by Platen: {lines:list} and {more} more lines.':
    'Nicht von Platen gedruckt: {lines:list} und {more} weitere Artikel.',
  '{units:number} of {sku:text} ({why:text})': '{units:number} × {sku:text} ({why:text})',
  '{units:number} of {sku:field} ({why:text})': '{units:number} × {sku:field} ({why:text})',
  'a gift card': 'ein Gutschein',
  'a custom line': 'ein eigener Artikel',
  'needs no shipping': 'braucht keinen Versand',
  'marked as not printed at the print service': 'beim Druckdienst als nicht gedruckt markiert',
  'not linked to a print product': 'mit keinem Druckprodukt verknüpft',
  'you ship this product yourself': 'Sie versenden dieses Produkt selbst',
  'left to you, although it has a print link': 'Ihnen überlassen, obwohl es eine Druckverknüpfung gibt',
  'The store does not accept the fulfillment request for this order, or the answer to it. Check in the store what the fulfillment is waiting for.':
    'Der Shop akzeptiert die Ausführungsanfrage dieser Bestellung oder die Antwort darauf nicht. Prüfen Sie im Shop, worauf die Ausführung wartet.',
  '{reference} was closed before it was printed: {why:text}.':
    '{reference} wurde vor dem Druck geschlossen: {why:text}.',
  'the order was canceled in the store': 'die Bestellung wurde im Shop storniert',
  'it was canceled by hand': 'der Druck wurde von Hand storniert',
  'the merchant requested that the fulfillment be canceled':
    'der Händler hat die Stornierung der Ausführung angefordert',
  'the store no longer has the order': 'der Shop hat die Bestellung nicht mehr',
  'the order or its print links changed': 'die Bestellung oder ihre Druckverknüpfungen haben sich geändert',
  'its lines no longer need to be fulfilled': 'die Artikel sind nicht mehr auszuführen',
  'the shop now prints through another interface': 'der Shop druckt jetzt über eine andere Schnittstelle',
  'its print account cannot confirm drafts, so the order is sent directly':
    'das Druckkonto kann keine Entwürfe bestätigen, daher wird der Auftrag direkt gesendet',
  'another order at the print service already contains some of its lines':
    'ein anderer Auftrag beim Druckdienst enthält bereits einige der Artikel',
  '{reference}: {lines} line, {units} unit to print.': '{reference}: {lines} Artikel, {units} Stück zu drucken.',
  '{reference}: {lines} line, {units} units to print.': '{reference}: {lines} Artikel, {units} Stück zu drucken.',
  '{reference}: {lines} lines, {units} units to print.': '{reference}: {lines} Artikel, {units} Stück zu drucken.',
  "The print link's envelopes are left out: only interface v2 of the print service accepts them.":
    'Die Briefumschläge der Druckverknüpfung entfallen: Nur Version 2 der Schnittstelle des Druckdienstes akzeptiert sie.',
  'it is already on its way': 'die Sendung ist bereits unterwegs',
  'This print order could not be canceled: {why:text}.':
    'Dieser Druckauftrag konnte nicht storniert werden: {why:text}.',
  '{reference} is being canceled at the print service: {why:text}.':
    '{reference} wird beim Druckdienst storniert: {why:text}.',
  'Fulfillment was requested from Platen.': 'Die Ausführung wurde bei Platen angefordert.',
  'The fulfillment request was accepted.': 'Die Ausführungsanfrage wurde angenommen.',
  'The fulfillment request was rejected: {why:text}': 'Die Ausführungsanfrage wurde abgelehnt: {why:text}',
  'The fulfillment was canceled: {why:text}': 'Die Ausführung wurde storniert: {why:text}',
  'The fulfillment cannot be canceled: {why:text}': 'Die Ausführung kann nicht storniert werden: {why:text}',
  '{reference} no longer matches the order: {why:text}': '{reference} entspricht nicht mehr der Bestellung: {why:text}',
  '{reference} continues as it was sent: someone accepted the change to the order.':
    '{reference} wird wie gesendet fortgesetzt: Jemand hat die Änderung der Bestellung akzeptiert.',
  '{reference} is no longer held because of a change to the order.':
    '{reference} ist nicht mehr wegen einer Änderung der Bestellung angehalten.',
  "The details were erased with the customer's data.": 'Die Einzelheiten wurden mit den Kundendaten gelöscht.',
  'Part of this order was not sent to print within 90 days. Platen stores addresses for at most 90 days, so it cannot send the rest of this order. Fulfill the rest by hand, or refund the buyer.':
    'Ein Teil dieser Bestellung ging nicht innerhalb von 90 Tagen in den Druck. Platen speichert Adressen höchstens 90 Tage und kann den Rest daher nicht senden. Führen Sie den Rest selbst aus, oder erstatten Sie dem Käufer den Betrag.',
  "The customer's data was exported to answer a data request.":
    'Die Kundendaten wurden für eine Auskunftsanfrage exportiert.',
  "The store requested that the customer's data be erased, so nothing further from this order is sent to print.":
    'Der Shop hat die Löschung der Kundendaten angefordert. Von dieser Bestellung geht nichts weiter in den Druck.',
  'it was not sent within 90 days, and Platen stores addresses for at most 90 days':
    'der Auftrag wurde nicht innerhalb von 90 Tagen gesendet, und länger speichert Platen keine Adressen',
  "the customer's data is erased on request": 'die Kundendaten werden auf Anfrage gelöscht',
  "The order's customer data was erased.": 'Die Kundendaten der Bestellung wurden gelöscht.',
  'The personal data of {reference} was removed.': 'Die personenbezogenen Daten von {reference} wurden entfernt.',
  'Imported by the backfill of orders placed since {time}.':
    'Durch den nachträglichen Import der Bestellungen seit {time} übernommen.',
  'The product is now linked. Units that were ordered before it was linked are printed.':
    'Das Produkt ist jetzt verknüpft. Vorher bestellte Artikel werden gedruckt.',
  'Units that were ordered before the product was linked are left for the merchant to ship.':
    'Artikel, die vor der Verknüpfung des Produkts bestellt wurden, versendet der Händler selbst.',
  "{reference} resumes because the shop's settings or accounts have changed.":
    '{reference} läuft weiter, weil sich Einstellungen oder Konten des Shops geändert haben.',
  '{reference} is quoted again because the shop now uses another print account.':
    'Für {reference} wird ein neues Angebot eingeholt, weil der Shop jetzt ein anderes Druckkonto verwendet.',
  'Platen was uninstalled from the store': 'Platen wurde im Shop deinstalliert',
  'Platen was stopped for the store': 'Platen wurde für den Shop beendet',
};
