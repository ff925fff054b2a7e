import type { MessageCatalog } from '../create-translator.ts';

/** The reasons why orders and steps are waiting, and Platen's next actions. */
export const outcomes: MessageCatalog = {
  'Platen has not read the order from the store yet.': 'Platen hat die Bestellung noch nicht aus dem Shop gelesen.',
  'The order is not paid yet.': 'Die Bestellung ist noch nicht bezahlt.',
  'The buyer has requested to remove items from the order. Edit the order in the store if you agree, and mark the request as resolved. Otherwise, decline it. Platen then continues.':
    'Der Käufer möchte Artikel aus der Bestellung entfernen. Wenn Sie einverstanden sind, bearbeiten Sie die Bestellung im Shop, und markieren Sie die Anfrage als erledigt. Lehnen Sie sie sonst ab. Danach macht Platen weiter.',
  'The order is waiting until the delay set for this shop has passed.':
    'Die Bestellung wartet, bis die eingestellte Wartezeit abgelaufen ist.',
  'The store has not finished its fraud analysis yet.': 'Die Betrugsanalyse des Shops ist noch nicht abgeschlossen.',
  "The store has not counted the buyer's earlier orders yet.":
    'Der Shop hat die früheren Bestellungen des Käufers noch nicht gezählt.',
  'The order is waiting for the daily release.': 'Die Bestellung wartet auf die tägliche Freigabe.',
  'The store has not yet decided where the order ships from.':
    'Der Shop hat noch nicht entschieden, von wo aus die Bestellung versendet wird.',
  'The fulfillment is on hold in the store.': 'Die Ausführung ist im Shop angehalten.',
  'In the store, the fulfillment is scheduled for a later date.': 'Die Ausführung ist im Shop für später geplant.',
  'The fulfillment must be requested in the store.': 'Die Ausführung muss im Shop angefordert werden.',
  "Someone deleted Platen's fulfillment service in the store, and the items stayed at its former location. In the store, move them to Platen's new location. To print them where they are, allow printing at your own locations in the settings.":
    'Jemand hat Platens Ausführungsdienst im Shop gelöscht, und die Artikel sind an dessen früherem Standort geblieben. Verschieben Sie sie im Shop an Platens neuen Standort. Sollen sie dort gedruckt werden, wo sie sind, erlauben Sie in den Einstellungen den Druck an Ihren eigenen Standorten.',
  'The fulfillment request was rejected. Request it again in the store.':
    'Die Ausführungsanfrage wurde abgelehnt. Fordern Sie die Ausführung im Shop erneut an.',
  'The merchant has requested to cancel the fulfillment.':
    'Der Händler hat die Stornierung der Ausführung angefordert.',
  'A cancellation came too late for part of the order. The part that was stopped is not printed unless you choose "Approve".':
    'Eine Stornierung kam für einen Teil der Bestellung zu spät. Der gestoppte Teil wird nur gedruckt, wenn Sie „Freigeben“ wählen.',
  "Another database of Platen has taken over the store, so this one sends nothing. Platen's operator must stop one of the two.":
    'Eine andere Datenbank von Platen hat den Shop übernommen, daher sendet diese nichts. Der Betreiber von Platen muss eine der beiden stoppen.',
  'The app has lost its access to the store. Open the app once in the store.':
    'Die App hat keinen Zugriff mehr auf den Shop. Öffnen Sie die App einmal im Shop.',
  'Platen was removed from the store, or is leaving it. It no longer sends or follows anything.':
    'Platen wurde aus dem Shop entfernt oder verlässt ihn gerade. Es sendet und verfolgt nichts mehr.',
  'The order was canceled in the store.': 'Die Bestellung wurde im Shop storniert.',
  'Printing was canceled by hand. No further items of the order are sent to print unless you choose "Approve".':
    'Der Druck wurde von Hand storniert. Weitere Artikel der Bestellung gehen nur in den Druck, wenn Sie „Freigeben“ wählen.',
  'The order was refunded.': 'Die Bestellung wurde erstattet.',
  'The payment was voided, or it has expired.': 'Die Zahlung wurde storniert, oder sie ist abgelaufen.',
  'A test order is never printed.': 'Eine Testbestellung wird nie gedruckt.',
  "The order was placed before the date from which Platen prints this shop's orders.":
    'Die Bestellung ging vor dem Tag ein, ab dem Platen Bestellungen dieses Shops druckt.',
  'Platen prints none of the lines in the order.': 'Platen druckt keinen Artikel dieser Bestellung.',
  'Everything has already been fulfilled.': 'Alles ist bereits ausgeführt.',
  'Every line that Platen prints was refunded.': 'Alle Artikel, die Platen druckt, wurden erstattet.',
  'Every line that Platen prints was removed from the order.':
    'Alle Artikel, die Platen druckt, wurden aus der Bestellung entfernt.',
  "Nothing is left to fulfill: the fulfillment was canceled at the merchant's request in the store.":
    'Es ist nichts mehr auszuführen: Die Ausführung wurde auf Wunsch des Händlers im Shop storniert.',
  'Nothing is left to fulfill: the items that will not be printed are closed in the store.':
    'Es ist nichts mehr auszuführen: Die Artikel, die nicht gedruckt werden, sind im Shop abgeschlossen.',
  'Platen does not print the rest of the order: it is at another location, with another app, or for pickup.':
    'Platen druckt den Rest der Bestellung nicht: Er liegt an einem anderen Standort, bei einer anderen App oder wird abgeholt.',
  'Nothing is left to fulfill: the rest was refunded, canceled or closed in the store.':
    'Es ist nichts mehr auszuführen: Der Rest wurde im Shop erstattet, storniert oder abgeschlossen.',
  'Every unit has already been sent to print.': 'Alles wurde bereits in den Druck gegeben.',
  "The customer's data was erased on request. No further items of the order are sent to print.":
    'Die Kundendaten wurden auf Anfrage gelöscht. Weitere Artikel der Bestellung gehen nicht in den Druck.',
  'The order was not sent to print within 90 days, and addresses are not stored for longer. Fulfill the order by hand, or refund the buyer.':
    'Die Bestellung ging nicht innerhalb von 90 Tagen in den Druck, und länger werden Adressen nicht gespeichert. Führen Sie die Bestellung selbst aus, oder erstatten Sie dem Käufer den Betrag.',
  'The store no longer has this order.': 'Der Shop hat diese Bestellung nicht mehr.',
  'Part of the order is waiting: {why:text}': 'Ein Teil der Bestellung wartet: {why:text}',
  'Waiting: {why:text}': 'Wartet: {why:text}',
  'Nothing to do: {why:text}': 'Nichts zu tun: {why:text}',
  'Next, Platen requests its price and shipping.': 'Als Nächstes fragt Platen Preis und Versand an.',
  'Next, Platen sends it to the print service.': 'Als Nächstes sendet Platen den Druckauftrag an den Druckdienst.',
  'Platen is sending it to the print service.': 'Platen sendet den Druckauftrag an den Druckdienst.',
  'Platen is checking whether the print service accepted it.':
    'Platen prüft, ob der Druckdienst den Auftrag angenommen hat.',
  'The print service has it but has not started to print it.':
    'Der Auftrag liegt beim Druckdienst. Der Druck hat noch nicht begonnen.',
  'The print service is printing it.': 'Der Druckdienst druckt den Auftrag.',
  'It has shipped. Platen marks it as fulfilled once the tracking code is available.':
    'Der Auftrag ist versandt. Platen markiert ihn als ausgeführt, sobald die Sendungsnummer vorliegt.',
  'It has shipped, but the print service has not provided a tracking code.':
    'Der Auftrag ist versandt, aber der Druckdienst hat keine Sendungsnummer gemeldet.',
  'It is held.': 'Der Auftrag ist angehalten.',
  'It is fulfilled.': 'Der Auftrag ist ausgeführt.',
  'Platen is verifying that no part of it remains at the print service.':
    'Platen vergewissert sich, dass beim Druckdienst nichts davon übrig ist.',
  'Its draft stays at the print service until someone releases it.':
    'Der Entwurf bleibt beim Druckdienst, bis ihn jemand freigibt.',
  'It says: "{words:words}".': 'Die Meldung lautet: „{words:words}“.',
  'It says: {words:words}': 'Die Meldung lautet: {words:words}',
  'Platen has been trying since {time} and keeps trying.': 'Platen versucht es seit {time} und versucht es weiter.',
  '{reference} is waiting: {why:text}': '{reference} wartet: {why:text}',
  'The order is held: {why:text}': 'Die Bestellung ist angehalten: {why:text}',
  '{reference} is held: {why:text}': '{reference} ist angehalten: {why:text}',
  'Held: {why:text}': 'Angehalten: {why:text}',
  'No longer held for this reason: {why:text}': 'Nicht mehr aus diesem Grund angehalten: {why:text}',
  'No longer held: {why:text}.': 'Nicht mehr angehalten: {why:text}.',
  'No longer held: {code:field}.': 'Nicht mehr angehalten: {code:field}.',
  'the step succeeded': 'der Schritt war erfolgreich',
  'the print order has ended': 'der Druckauftrag ist beendet',
  'Platen failed to {doing:text}. The server log contains the error.':
    'Ein Schritt ist fehlgeschlagen: {doing:text}. Das Protokoll des Servers enthält den Fehler.',
  'plan the order': 'die Bestellung planen',
  'request its price and shipping': 'Preis und Versand anfragen',
  'request the price and shipping': 'Preis und Versand anfragen',
  'send it to the print service': 'den Auftrag an den Druckdienst senden',
  'send the order': 'den Auftrag senden',
  'read its status': 'den Status lesen',
  'read the status of the order': 'den Status des Auftrags lesen',
  'mark it as fulfilled in the store': 'den Auftrag im Shop als ausgeführt markieren',
  'cancel the order': 'den Auftrag stornieren',
  'close the print order': 'den Druckauftrag schließen',
  'confirm the draft': 'den Entwurf bestätigen',
  'search for print orders that the database lacks': 'nach Druckaufträgen suchen, die in der Datenbank fehlen',
  'search for the order before it is sent': 'den Auftrag vor dem Senden suchen',
  'read the order or answer its requests there': 'die Bestellung dort lesen oder ihre Anfragen beantworten',
  'read the order before sending it': 'die Bestellung vor dem Senden lesen',
  'mark the shipped items as fulfilled there': 'die versandten Artikel dort als ausgeführt markieren',
  'The print service would refuse this order.': 'Der Druckdienst würde diesen Auftrag ablehnen.',
  'The print service refused the order with status {status}.':
    'Der Druckdienst hat den Auftrag mit dem Status {status} abgelehnt.',
  'The print service asked Platen to wait, so Platen could not {doing:text} yet.':
    'Der Druckdienst hat Platen gebeten zu warten. Noch offen: {doing:text}.',
  'The print service responded with status {status}, so Platen could not {doing:text}.':
    'Der Druckdienst hat mit dem Status {status} geantwortet. Noch offen: {doing:text}.',
  'The print service sends a value that Platen cannot read ({field:field}), so Platen could not {doing:text}.':
    'Der Druckdienst sendet einen Wert, den Platen nicht lesen kann ({field:field}). Noch offen: {doing:text}.',
  'The store sends a value that Platen cannot read ({field:field}), so Platen could not {doing:text}.':
    'Der Shop sendet einen Wert, den Platen nicht lesen kann ({field:field}). Noch offen: {doing:text}.',
  'The print service did not respond, so Platen could not {doing:text}.':
    'Der Druckdienst hat nicht geantwortet. Noch offen: {doing:text}.',
  'The store cannot be reached ({why:text}), so Platen could not {doing:text}.':
    'Der Shop ist nicht erreichbar ({why:text}). Noch offen: {doing:text}.',
  "Shopify's rate limit has been reached": 'das Anfragelimit von Shopify ist erreicht',
  'Shopify does not accept the token': 'Shopify akzeptiert das Token nicht',
  'the shop is frozen because its bill is unpaid': 'der Shop ist wegen einer unbezahlten Rechnung eingefroren',
  "Shopify rejects this server: check the app's credentials, and make sure that this address is on its IP allowlist":
    'Shopify lehnt diesen Server ab: Prüfen Sie die Zugangsdaten der App und ob diese Adresse auf ihrer IP-Liste steht',
  'the app is not allowed to do this in the shop: an access scope or the approval for customer data is missing':
    'die App darf dies im Shop nicht tun: Eine Berechtigung oder die Freigabe für Kundendaten fehlt',
  'Shopify does not know this shop or address': 'Shopify kennt diesen Shop oder diese Adresse nicht',
  'the shop is locked': 'der Shop ist gesperrt',
  'Shopify rejected the input': 'Shopify hat die Eingabe abgelehnt',
  'Shopify could not execute the operation': 'Shopify konnte den Vorgang nicht ausführen',
  'Shopify returned no usable response': 'Shopify hat keine brauchbare Antwort gesendet',
  'the connection to Shopify failed': 'die Verbindung zu Shopify ist fehlgeschlagen',
  'Shopify did not respond in time': 'Shopify hat nicht rechtzeitig geantwortet',
  'The print service refused the print account’s key.': 'Der Druckdienst hat den Schlüssel des Druckkontos abgelehnt.',
  "The print service refused the print account's key.": 'Der Druckdienst hat den Schlüssel des Druckkontos abgelehnt.',
  "The print account's key cannot be read.": 'Der Schlüssel des Druckkontos kann nicht gelesen werden.',
  'The database was restored from a backup. Nothing is sent until {time}.':
    'Die Datenbank wurde aus einer Sicherung wiederhergestellt. Bis {time} wird nichts gesendet.',
  'The database was restored or moved: nothing is sent to print or marked as shipped before {time}.':
    'Die Datenbank wurde wiederhergestellt oder verschoben: Vor {time} geht nichts in den Druck, und nichts wird als versandt markiert.',
  'The order has not been placed at the print service yet.': 'Der Auftrag wurde dem Druckdienst noch nicht erteilt.',
  'The order was placed through an interface of the print service that provides no receipts.':
    'Der Auftrag wurde über eine Schnittstelle des Druckdienstes erteilt, die keine Belege liefert.',
  'The print service has not shown receipts for the whole order yet.':
    'Der Druckdienst zeigt noch nicht für den ganzen Auftrag Belege.',
  'All or part of the order failed, or was canceled or refunded, or its payment was refused. No receipt shows the refund.':
    'Der Auftrag ist ganz oder teilweise fehlgeschlagen, storniert oder erstattet, oder seine Zahlung wurde abgelehnt, und kein Beleg zeigt die Erstattung.',
  'A receipt has a type that Platen does not know, so it may be a charge or a refund.':
    'Platen kennt die Art eines Belegs nicht. Er kann eine Belastung oder eine Erstattung sein.',
  'A receipt from the print service contains an amount or a currency that Platen cannot read.':
    'Ein Beleg des Druckdienstes enthält einen Betrag oder eine Währung, die Platen nicht lesen kann.',
  "The print service's receipts are in several currencies.": 'Die Belege des Druckdienstes haben mehrere Währungen.',
  'Platen has not yet read the amount that the buyer paid from the store.':
    'Platen hat den Betrag, den der Käufer bezahlt hat, noch nicht aus dem Shop gelesen.',
  "The print service charged in a currency other than the shop's.":
    'Der Druckdienst hat in einer anderen Währung als der des Shops abgerechnet.',
  "The order's customer data was erased, including the amounts paid.":
    'Die Kundendaten der Bestellung wurden gelöscht, auch die bezahlten Beträge.',
};
