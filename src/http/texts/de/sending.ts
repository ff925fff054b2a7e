import type { MessageCatalog } from '../create-translator.ts';

/** The sending of a print order: its shipping method, its quote and its requests. */
export const sending: MessageCatalog = {
  '{method:words} for {price:money}, the {rule:text}.': '{method:words} für {price:money}, {rule:text}.',
  '{reference:field}: {choice:text}': '{reference:field}: {choice:text}',
  '{reference} (one of {quotes} quotes): {choice:text}': '{reference} (eines von {quotes} Angeboten): {choice:text}',
  'Passed over: {rules:list}.': 'Nicht verwendet: {rules:list}.',
  'the {rule:text} ({why:text})': '{rule:text} ({why:text})',
  'cheapest method': 'günstigste Versandart',
  'cheapest express method': 'günstigste Express-Versandart',
  "rule '{name:words}'": 'Regel „{name:words}“',
  'rule {number:number}': 'Regel {number:number}',
  "checkout rate '{name:words}'": 'Versandpreis aus dem Checkout „{name:words}“',
  'it does not name the title or the code of the rate that the buyer chose':
    'sie nennt weder Titel noch Code des Versandpreises, den der Käufer gewählt hat',
  '{lack:text} for one of the {quotes} quotes': '{lack:text} für eines der {quotes} Angebote',
  "no shipping line has '{title:words}' in its title and the code '{code:words}'":
    'keine Versandoption hat „{title:words}“ im Titel und den Code „{code:words}“',
  "no shipping line has '{title:words}' in its title": 'keine Versandoption hat „{title:words}“ im Titel',
  "no shipping line has the code '{code:words}'": 'keine Versandoption hat den Code „{code:words}“',
  'it does not apply to this country': 'sie gilt nicht für dieses Land',
  'it does not apply to every printed line': 'sie gilt nicht für alle gedruckten Artikel',
  'it does not apply to any printed line': 'sie gilt für keinen gedruckten Artikel',
  'nothing is offered': 'nichts wird angeboten',
  'none of these methods has a price': 'keine dieser Versandarten hat einen Preis',
  'its prices cannot be compared ({currencies})': 'die Preise sind nicht vergleichbar ({currencies})',
  'no method {methods:names} is offered': 'die Versandart {methods:names} wird nicht angeboten',
  'no method of type {types:names} is offered': 'keine Versandart des Typs {types:names} wird angeboten',
  'only a pallet or pickup is offered': 'nur Palette oder Abholung wird angeboten',
  'none of these methods delivers to a business address': 'keine dieser Versandarten liefert an eine Firmenadresse',
  'none of these methods delivers to a private address': 'keine dieser Versandarten liefert an eine Privatadresse',
  'nothing is offered under {terms:names}': 'nichts wird mit den Lieferbedingungen {terms:names} angeboten',
  'nothing is offered in at most {number} parcel': 'nichts wird mit höchstens {number} Paket angeboten',
  'nothing is offered in at most {number} parcels': 'nichts wird mit höchstens {number} Paketen angeboten',
  'no method has a delivery date': 'keine Versandart hat ein Lieferdatum',
  'nothing arrives within {number} day': 'nichts kommt innerhalb von {number} Tag an',
  'nothing arrives within {number} days': 'nichts kommt innerhalb von {number} Tagen an',
  'nothing arrives by {date}': 'nichts kommt bis {date} an',
  'Under "Shipping rules", allow an order to be split among several facilities. The order may then arrive in several parcels.':
    'Erlauben Sie unter „Versandregeln“, dass eine Bestellung auf mehrere Druckereien aufgeteilt wird. Sie kann dann in mehreren Paketen ankommen.',
  'The print service did not quote every line of the order exactly once. Choose "Retry".':
    'Der Druckdienst hat nicht jeden Artikel des Auftrags genau einmal angeboten. Wählen Sie „Wiederholen“.',
  'The print service would print this order at {number} of its facilities.':
    'Der Druckdienst würde diesen Auftrag in {number} Druckereien drucken.',
  'The buyer chose "{title:words}" at checkout and paid for the shipping class {type}, which the print service does not currently offer for this order: {lack:text}.':
    'Der Käufer hat im Checkout „{title:words}“ gewählt und die Versandklasse {type} bezahlt, die der Druckdienst für diesen Auftrag zurzeit nicht anbietet: {lack:text}.',
  'Under "Shipping rules", add a rule that names the code {code:words} and the shipping method to use instead.':
    'Fügen Sie unter „Versandregeln“ eine Regel mit dem Code {code:words} und der gewünschten Versandart hinzu.',
  'Check the address with "Change the address".': 'Prüfen Sie die Adresse unter „Adresse ändern“.',
  'The print service offers no way to ship this order to this address: {lack:text}.':
    'Der Druckdienst bietet für diesen Auftrag keinen Versand an diese Adresse: {lack:text}.',
  'The print service\'s offer had expired when it arrived. This server\'s clock may be wrong. Choose "Retry" after you have checked it.':
    'Das Angebot des Druckdienstes war beim Eintreffen schon abgelaufen. Vielleicht geht die Uhr dieses Servers falsch. Prüfen Sie sie, und wählen Sie „Wiederholen“.',
  '{reference} stays {from:text}: it cannot become {to:text}.':
    '{reference} bleibt im Status „{from:text}“ und kann nicht in den Status „{to:text}“ wechseln.',
  planned: 'geplant',
  quoted: 'Angebot liegt vor',
  submitting: 'wird gesendet',
  uncertain: 'wird geprüft',
  submitted: 'gesendet',
  in_production: 'in Produktion',
  'in production': 'in Produktion',
  shipped: 'versandt',
  shipped_no_tracking: 'ohne Sendungsnummer versandt',
  'shipped without tracking': 'ohne Sendungsnummer versandt',
  'on hold': 'angehalten',
  'pending approval': 'wartet auf Freigabe',
  'pending personalization': 'wartet auf Personalisierung',
  'not connected': 'nicht verbunden',
  returned: 'zurückgesendet',
  pending: 'ausstehend',
  invoiced: 'in Rechnung gestellt',
  'to be invoiced': 'wird in Rechnung gestellt',
  paid: 'bezahlt',
  'partially refunded': 'teilweise erstattet',
  refunded: 'erstattet',
  draft: 'Entwurf',
  fulfilled: 'ausgeführt',
  held: 'angehalten',
  canceled: 'storniert',
  failed: 'fehlgeschlagen',
  '{reference}: nothing was created.': '{reference}: Es wurde nichts angelegt.',
  '{reference}: nothing was created. Platen will try again.':
    '{reference}: Es wurde nichts angelegt. Platen versucht es erneut.',
  '{reference}: Platen creates a draft at the print service (attempt {attempt}).':
    '{reference}: Platen legt einen Entwurf beim Druckdienst an (Versuch {attempt}).',
  '{reference}: Platen sends the order (attempt {attempt}).':
    '{reference}: Platen sendet den Auftrag (Versuch {attempt}).',
  'The print service refuses to cancel the order, and its search does not show the order yet.':
    'Der Druckdienst lehnt die Stornierung ab, und seine Suche zeigt den Auftrag noch nicht.',
  'The print service still shows an order or a draft that Platen canceled or deleted there.':
    'Der Druckdienst zeigt noch einen Auftrag oder Entwurf, den Platen dort storniert oder gelöscht hat.',
  'The print service does not yet show whether the order was canceled.':
    'Der Druckdienst zeigt noch nicht, ob der Auftrag storniert wurde.',
  'the print service reported that it canceled the order, but continues to process it':
    'der Druckdienst hat die Stornierung gemeldet, bearbeitet den Auftrag aber weiter',
  'this interface of the print service does not support cancellation':
    'diese Schnittstelle des Druckdienstes unterstützt keine Stornierung',
  'the print service is already printing it': 'der Druckdienst druckt den Auftrag bereits',
  'the print service does not have it under this reference, or does not support cancellation':
    'der Druckdienst hat den Auftrag nicht unter dieser Referenz oder unterstützt keine Stornierung',
  '{reference} is already at the print service.': '{reference} ist bereits beim Druckdienst.',
  'it is too late': 'es ist zu spät',
  '{why:text} (part {parts}; canceled in time: part {canceled})':
    '{why:text} (Teil {parts}, rechtzeitig storniert: Teil {canceled})',
  'The print service does not show all parts of the order yet.':
    'Der Druckdienst zeigt noch nicht alle Teile des Auftrags.',
  'It is printed as it was sent, without the later changes.':
    'Er wird gedruckt wie gesendet, ohne die späteren Änderungen.',
  'The print service reports "{status:text}".': 'Der Druckdienst meldet „{status:text}“.',
  'The print service reports "{status:text}" for {line:text}.':
    'Der Druckdienst meldet „{status:text}“ für {line:text}.',
  'The print service reports "{status:text}" for {line:field}.':
    'Der Druckdienst meldet „{status:text}“ für {line:field}.',
  'The print service reports "{status:text}", with the comment: {words:words}':
    'Der Druckdienst meldet „{status:text}“ mit dem Kommentar: {words:words}',
  'The print service reports "{status:text}" for {line:text}, with the comment: {words:words}':
    'Der Druckdienst meldet „{status:text}“ für {line:text} mit dem Kommentar: {words:words}',
  'The print service reports "{status:text}" for {line:field}, with the comment: {words:words}':
    'Der Druckdienst meldet „{status:text}“ für {line:field} mit dem Kommentar: {words:words}',
  'the line without a SKU (LineItem {id})': 'den Artikel ohne SKU (LineItem {id})',
  'the line without a SKU': 'den Artikel ohne SKU',
  'The items of the order at the print service differ from the items that Platen sent.':
    'Der Auftrag beim Druckdienst enthält andere Artikel als die gesendeten.',
  '{name:text}: {sent} sent, {found} found.': '{name:text}: {sent} gesendet, {found} gefunden.',
  '{number} item found that was not sent.': '{number} Artikel gefunden, der nicht gesendet wurde.',
  '{number} items found that were not sent.': '{number} Artikel gefunden, die nicht gesendet wurden.',
  'At the print service, {reference} already contains lines of this print order.':
    'Beim Druckdienst enthält {reference} bereits Artikel dieses Druckauftrags.',
  'The draft was changed at the print service after it was created.':
    'Der Entwurf wurde beim Druckdienst geändert, nachdem er angelegt worden war.',
  'The draft has {there} of {name:text}, but the order now needs {wanted}.':
    'Der Entwurf enthält {there} × {name:text}, die Bestellung braucht jetzt aber {wanted}.',
  'The draft has {there} of {name:field}, but the order now needs {wanted}.':
    'Der Entwurf enthält {there} × {name:field}, die Bestellung braucht jetzt aber {wanted}.',
  'The order was changed in the store, so its draft was not confirmed.':
    'Die Bestellung wurde im Shop geändert. Daher wurde ihr Entwurf nicht bestätigt.',
  'The order was changed in the store, and its draft was changed at the print service. Platen does not delete the draft without confirmation.':
    'Die Bestellung wurde im Shop geändert und ihr Entwurf beim Druckdienst. Ohne Bestätigung löscht Platen den Entwurf nicht.',
  "{reference} was released in the print service's dashboard ({ids}).":
    '{reference} wurde im Dashboard des Druckdienstes freigegeben ({ids}).',
  '{name:text}: {number} was sent, but the draft has none.':
    '{name:text}: {number} gesendet, der Entwurf enthält aber keinen.',
  '{name:text}: {number} were sent, but the draft has none.':
    '{name:text}: {number} gesendet, der Entwurf enthält aber keine.',
  '{name:text}: the draft has a different product.': '{name:text}: Der Entwurf enthält ein anderes Produkt.',
  '{name:text}: {number} was sent, but the draft has {found}.':
    '{name:text}: {number} gesendet, der Entwurf enthält {found}.',
  '{name:text}: {number} were sent, but the draft has {found}.':
    '{name:text}: {number} gesendet, der Entwurf enthält {found}.',
  '{number} item was added to the draft.': '{number} Artikel wurde dem Entwurf hinzugefügt.',
  '{number} items were added to the draft.': '{number} Artikel wurden dem Entwurf hinzugefügt.',
  "The draft's shipping address differs in these fields: {fields:list}.":
    'Die Lieferadresse des Entwurfs weicht in diesen Feldern ab: {fields:list}.',
  'And {number} more.': 'Und {number} weitere.',
  'The draft has a different shipping method.': 'Der Entwurf hat eine andere Versandart.',
  'The draft is in a different currency.': 'Der Entwurf hat eine andere Währung.',
  'The print service accepted the confirmation, but the order is still a draft there.':
    'Der Druckdienst hat die Bestätigung angenommen, der Auftrag ist dort aber noch ein Entwurf.',
  'The print service does not show the draft of this order, or shows it only in its search.':
    'Der Druckdienst zeigt den Entwurf dieses Auftrags nicht oder nur in seiner Suche.',
  '{reference} is confirmed at the print service as {ids}.': '{reference} ist beim Druckdienst als {ids} bestätigt.',
  '{reference} is confirmed at the print service as {ids}, in the print account that the shop used previously.':
    '{reference} ist beim Druckdienst als {ids} bestätigt, im früheren Druckkonto des Shops.',
  'The draft of this order no longer exists at the print service.':
    'Den Entwurf dieses Auftrags gibt es beim Druckdienst nicht mehr.',
  'This print account cannot read and confirm orders, so its orders are created directly from now on. Platen has changed the settings accordingly.':
    'Dieses Druckkonto kann Aufträge weder lesen noch bestätigen. Künftig werden sie direkt angelegt. Platen hat die Einstellungen entsprechend geändert.',
  'The print service had an unknown draft. Platen deleted it and is waiting until no other draft can appear.':
    'Der Druckdienst hatte einen unbekannten Entwurf. Platen hat ihn gelöscht und wartet, bis kein weiterer erscheinen kann.',
  '{reference} is not sent, because orders that are sent directly have no drafts: {why:text}.':
    '{reference} wird nicht gesendet, weil es für direkt gesendete Aufträge keine Entwürfe gibt: {why:text}.',
  '{reference} is left as draft {id} at the print service: {why:text}.':
    '{reference} bleibt als Entwurf {id} beim Druckdienst: {why:text}.',
  'a test order is never printed': 'eine Testbestellung wird nie gedruckt',
  'the shop releases its print orders itself': 'der Shop gibt seine Druckaufträge selbst frei',
  'The print service did not report whether it created the draft of this order.':
    'Der Druckdienst hat nicht gemeldet, ob er den Entwurf dieses Auftrags angelegt hat.',
  'The print service lists a draft under this reference but does not delete it. The draft may already be an order.':
    'Der Druckdienst führt unter dieser Referenz einen Entwurf, löscht ihn aber nicht. Vielleicht ist er schon ein Auftrag.',
  'A spare draft of {reference} was deleted at the print service.':
    'Ein überzähliger Entwurf von {reference} wurde beim Druckdienst gelöscht.',
  '{reference} now has the quantities of its draft at the print service ({names:list}).':
    '{reference} hat jetzt die Mengen seines Entwurfs beim Druckdienst ({names:list}).',
  'a line without a SKU: {quantity}': 'ein Artikel ohne SKU: {quantity}',
  '{sku:words}: {quantity:number}': '{sku:words}: {quantity:number}',
  'The rest is printed only if someone approves it.': 'Der Rest wird nur gedruckt, wenn ihn jemand freigibt.',
  'The print service does not yet show whether any part of the closed print order is still there.':
    'Der Druckdienst zeigt noch nicht, ob von dem geschlossenen Druckauftrag etwas übrig ist.',
  '{reference} is closed. Nothing is left of it at the print service.':
    '{reference} ist geschlossen. Beim Druckdienst ist nichts davon übrig.',
  '{reference} continues with the current print key, which opens the same print account.':
    '{reference} läuft mit dem jetzigen Schlüssel weiter, der zum selben Druckkonto gehört.',
  'It was started with another print account. The print service now refuses the key of that account, so Platen cannot follow the order.':
    'Der Auftrag wurde mit einem anderen Druckkonto begonnen. Der Druckdienst lehnt den Schlüssel dieses Kontos jetzt ab. Daher kann Platen den Auftrag nicht verfolgen.',
  "the print service's offer has expired": 'das Angebot des Druckdienstes ist abgelaufen',
  "the print service no longer offers the quote's shipping method":
    'der Druckdienst bietet die Versandart des Angebots nicht mehr an',
  '{reference} is closed: {why:text}. Platen requests a new quote.':
    '{reference} ist geschlossen: {why:text}. Platen holt ein neues Angebot ein.',
  '{reference}: {why:text}. Platen requests a new quote.':
    '{reference}: {why:text}. Platen holt ein neues Angebot ein.',
  'The print service refused the payment for {reference}. The order will not be printed until it is paid.':
    'Der Druckdienst hat die Zahlung für {reference} abgelehnt. Der Auftrag wird erst gedruckt, wenn er bezahlt ist.',
  '{reference}: the payment status is now "{status:text}".':
    '{reference}: Der Zahlungsstatus ist jetzt „{status:text}“.',
  'The print service refuses payments from your account. The order resumes once a payment is accepted.':
    'Der Druckdienst lehnt Zahlungen von Ihrem Konto ab. Der Auftrag läuft weiter, sobald eine Zahlung angenommen wird.',
  "The print service has both an order and Platen's draft under this reference, and does not delete the draft.":
    'Der Druckdienst hat unter dieser Referenz einen Auftrag und Platens Entwurf und löscht den Entwurf nicht.',
  'The print service already has another print order of this order. Platen handles that print order first.':
    'Der Druckdienst hat bereits einen Auftrag zu einem anderen Druckauftrag dieser Bestellung. Platen bearbeitet zuerst diesen.',
  '{reference}: the print service already has this order ({ids}).':
    '{reference}: Der Druckdienst hat diesen Auftrag bereits ({ids}).',
  'The print service has {number} orders under this reference.':
    'Der Druckdienst hat {number} Aufträge unter dieser Referenz.',
  'The print service accepted the order, but its search does not show it yet.':
    'Der Druckdienst hat den Auftrag angenommen, seine Suche zeigt ihn aber noch nicht.',
  'The print service did not report whether it accepted the order. Platen searches for the order before it sends anything again.':
    'Der Druckdienst hat nicht gemeldet, ob er den Auftrag angenommen hat. Platen sucht ihn, bevor es noch einmal sendet.',
  '{reference} was accepted by the print service as {id}.': 'Der Druckdienst hat {reference} als {id} angenommen.',
  '{reference}: the print service did not report whether it accepted the order. Platen is searching for the order.':
    '{reference}: Der Druckdienst hat nicht gemeldet, ob er den Auftrag angenommen hat. Platen sucht den Auftrag.',
  '{reference}: the print service did not show the order in {number} searches, so it will be sent again.':
    '{reference}: Der Druckdienst hat den Auftrag bei {number} Suchen nicht gezeigt. Er wird erneut gesendet.',
  '{reference}: the print service did not show the order in {number} searches, so it will be canceled without being sent.':
    '{reference}: Der Druckdienst hat den Auftrag bei {number} Suchen nicht gezeigt. Er wird storniert, ohne gesendet zu werden.',
  'two attempts had no clear outcome': 'zwei Versuche hatten kein klares Ergebnis',
  'no other order of the account was found for comparison':
    'zum Vergleich wurde kein anderer Auftrag des Kontos gefunden',
  'The print service did not report whether it accepted this order, and {why:text}.':
    'Der Druckdienst hat nicht gemeldet, ob er diesen Auftrag angenommen hat, und {why:text}.',
};
