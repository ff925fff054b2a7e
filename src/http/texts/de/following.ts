import type { MessageCatalog } from '../create-translator.ts';

/** The events at the print service and in the store after an order has been sent. */
export const following: MessageCatalog = {
  'The print service has {number} orders under {reference}: {ids}.':
    'Der Druckdienst hat {number} Aufträge unter {reference}: {ids}.',
  'The print service has an order under {reference} that Platen does not know: {ids}.':
    'Der Druckdienst hat unter {reference} einen Auftrag, den Platen nicht kennt: {ids}.',
  'The print service no longer shows the order {id} of {reference}.':
    'Der Druckdienst zeigt den Auftrag {id} von {reference} nicht mehr.',
  'The print service accepted {reference} but does not show it.':
    'Der Druckdienst hat {reference} angenommen, zeigt den Auftrag aber nicht.',
  '{reference} was shipped more than {days} day ago, but the print service has not reported all its tracking codes.':
    '{reference} wurde vor mehr als {days} Tag versandt, der Druckdienst hat aber nicht alle Sendungsnummern gemeldet.',
  '{reference} was shipped more than {days} days ago, but the print service has not reported all its tracking codes.':
    '{reference} wurde vor mehr als {days} Tagen versandt, der Druckdienst hat aber nicht alle Sendungsnummern gemeldet.',
  '{reference} is fulfilled without a tracking code. A code that arrives later is added.':
    '{reference} ist ohne Sendungsnummer ausgeführt. Eine spätere Nummer wird ergänzt.',
  '{reference} is no longer held: {why:text}.': '{reference} ist nicht mehr angehalten: {why:text}.',
  'its printing is canceled': 'der Druck ist storniert',
  'it has ended at the print service': 'der Auftrag ist beim Druckdienst beendet',
  'it is making progress at the print service': 'der Auftrag kommt beim Druckdienst voran',
  '{reference} has made no progress at the print service for {days} days.':
    '{reference} ist beim Druckdienst seit {days} Tagen nicht weitergekommen.',
  "(Only an event reported this. Check the print service's dashboard first.)":
    '(Nur ein Ereignis hat dies gemeldet. Prüfen Sie zuerst das Dashboard des Druckdienstes.)',
  "{says:text} (Only an event reported this. Check the print service's dashboard first.)":
    '{says:text} (Nur ein Ereignis hat dies gemeldet. Prüfen Sie zuerst das Dashboard des Druckdienstes.)',
  'the line without a SKU continues at the print service.': 'Der Artikel ohne SKU läuft beim Druckdienst weiter.',
  'the line without a SKU (LineItem {id}) continues at the print service.':
    'Der Artikel ohne SKU (LineItem {id}) läuft beim Druckdienst weiter.',
  '{name:words} continues at the print service.': '{name:words} läuft beim Druckdienst weiter.',
  '{name:words} continues at the print service, although an event reported a problem with it.':
    '{name:words} läuft beim Druckdienst weiter, obwohl ein Ereignis ein Problem gemeldet hat.',
  'This affects {number} of {all} units.': 'Dies betrifft {number} von {all} Stück.',
  '{reference} has {codes:text}.': '{reference} hat {codes:text}.',
  'no tracking code': 'keine Sendungsnummer',
  'the tracking code {code:words}': 'die Sendungsnummer {code:words}',
  'the tracking codes {codes:words}': 'die Sendungsnummern {codes:words}',
  'Platen cannot store {codes:text}: it has more than {number} characters.':
    'Platen kann {codes:text} nicht speichern: Sie hat mehr als {number} Zeichen.',
  'Production: {words:words}': 'Produktion: {words:words}',
  '{reference} was received by the print service.': '{reference} ist beim Druckdienst eingegangen.',
  '{reference} is being printed.': '{reference} wird gedruckt.',
  '{reference} is shipped.': '{reference} ist versandt.',
  '{reference} was canceled at the print service.': '{reference} wurde beim Druckdienst storniert.',
  '{reference} failed at the print service.': '{reference} ist beim Druckdienst fehlgeschlagen.',
  "This print account reports tracking codes only through events. Make sure that Platen's webhook address is entered at the print service.":
    'Dieses Druckkonto meldet Sendungsnummern nur über Ereignisse. Stellen Sie sicher, dass Platens Webhook-Adresse beim Druckdienst eingetragen ist.',
  '{reference} is on its way to the buyer.': '{reference} ist unterwegs zum Käufer.',
  '{reference} is delivered.': '{reference} ist zugestellt.',
  'The print service refused the payment for {reference} and did not print it.':
    'Der Druckdienst hat die Zahlung für {reference} abgelehnt und den Auftrag nicht gedruckt.',
  '{reference} was returned to the print service.': '{reference} wurde an den Druckdienst zurückgesendet.',
  'The print service has corrected {old:text} of {reference} to {codes:words}.':
    'Der Druckdienst hat {old:text} von {reference} in {codes:words} geändert.',
  'Only an event has reported the code, so it is added to the store once the print service shows the order as printed.':
    'Bisher hat nur ein Ereignis die Nummer gemeldet. Sie wird im Shop eingetragen, sobald der Druckdienst den Auftrag als gedruckt zeigt.',
  '{reference} is expected to arrive between {from} and {to}.':
    '{reference} kommt voraussichtlich zwischen {from} und {to} an.',
  '{reference} was shipped more than a day ago, but the print service has not reported a tracking code. Check its dashboard.':
    '{reference} wurde vor mehr als einem Tag versandt, der Druckdienst hat aber keine Sendungsnummer gemeldet. Prüfen Sie sein Dashboard.',
  '{reference} is held: the store does not accept its fulfillment.':
    '{reference} ist angehalten: Der Shop akzeptiert die Ausführung nicht.',
  'The store refused the fulfillment with {codes:text}: {words:words}':
    'Der Shop hat die Ausführung mit {codes:text} abgelehnt: {words:words}',
  'No longer held: all shipped items of {reference} are fulfilled in the store.':
    'Nicht mehr angehalten: Alle versandten Artikel von {reference} sind im Shop ausgeführt.',
  '{reference} is fulfilled in the store with {codes:text}.': '{reference} ist im Shop ausgeführt: {codes:text}.',
  'The store did not confirm whether it created the fulfillment of {reference}. Platen looks for the fulfillment in the store before it tries again.':
    'Der Shop hat nicht bestätigt, ob er die Ausführung von {reference} angelegt hat. Platen sucht die Ausführung im Shop, bevor es erneut versucht wird.',
  '{reference} is finished: {why:text}.': '{reference} ist abgeschlossen: {why:text}.',
  'the order is canceled': 'die Bestellung ist storniert',
  'its items were fulfilled by hand or removed from the order':
    'die Artikel wurden von Hand ausgeführt oder aus der Bestellung entfernt',
  'Nothing is left to fulfill for {codes:text} of {reference}: {why:text}.':
    'Für {codes:text} von {reference} ist nichts mehr auszuführen: {why:text}.',
  'The print service lists no item of {reference} for {codes:text}, so Platen fulfills no items.':
    'Der Druckdienst nennt keinen Artikel von {reference} für {codes:text}. Daher führt Platen nichts aus.',
  "The print service has corrected {codes:text} of {reference}. Someone changed the fulfillment's codes in the store, so Platen does not change them. Compare the codes.":
    'Der Druckdienst hat {codes:text} von {reference} geändert. Jemand hat die Nummern der Ausführung im Shop geändert, daher ändert Platen sie nicht. Vergleichen Sie die Nummern.',
  'all units that the store still needs are fulfilled': 'alles, was der Shop noch braucht, ist ausgeführt',
  'it was shipped, and the store has nothing left to fulfill for it':
    'der Auftrag ist versandt, und im Shop ist dafür nichts mehr auszuführen',
  'The store has assigned these lines to another fulfillment service, and only that service can fulfill them.':
    'Der Shop hat diese Artikel einem anderen Fulfillment-Dienst zugewiesen, und nur dieser kann sie ausführen.',
  'The items have shipped, but their fulfillment is on hold, scheduled or not accepted in the store.':
    'Die Artikel sind versandt, aber ihre Ausführung ist im Shop angehalten, geplant oder nicht angenommen.',
  "{reference} has shipped. Its fulfillment waits until the store's fulfillment order is open.":
    '{reference} ist versandt. Die Ausführung wartet, bis der Fulfillmentauftrag im Shop offen ist.',
  'The store has created the fulfillment with {codes:text} after all.':
    'Der Shop hat die Ausführung doch angelegt: {codes:text}.',
  'The store has not created the fulfillment with {codes:text}, so Platen creates it again.':
    'Der Shop hat die Ausführung nicht angelegt ({codes:text}). Platen legt sie erneut an.',
  'The print service has corrected tracking codes: a fulfillment of {reference} in the store no longer has {codes:text}.':
    'Der Druckdienst hat Sendungsnummern geändert: Eine Ausführung von {reference} im Shop hat {codes:text} nicht mehr.',
  'The print service has corrected tracking codes: a fulfillment of {reference} in the store no longer has {codes:text} and now has {new:words} instead.':
    'Der Druckdienst hat Sendungsnummern geändert: Eine Ausführung von {reference} im Shop hat statt {codes:text} jetzt {new:words}.',
  'A fulfillment of {reference} in the store now also has {codes:text}.':
    'Eine Ausführung von {reference} im Shop hat jetzt auch {codes:text}.',
  "Platen's tags were removed from the order because the shop stopped using Platen.":
    'Platens Tags wurden von der Bestellung entfernt, weil der Shop Platen nicht mehr verwendet.',
  "Platen's tags remain on the order although the shop stopped using Platen: the order was deleted, or Platen can no longer read it.":
    'Platens Tags bleiben an der Bestellung, obwohl der Shop Platen nicht mehr verwendet: Die Bestellung wurde gelöscht, oder Platen kann sie nicht mehr lesen.',
  "Platen's metafields were removed from the order because the shop stopped using Platen.":
    'Platens Metafelder wurden von der Bestellung entfernt, weil der Shop Platen nicht mehr verwendet.',
  "Platen's metafields remain on the order although the shop stopped using Platen: the store did not remove them.":
    'Platens Metafelder bleiben an der Bestellung, obwohl der Shop Platen nicht mehr verwendet: Der Shop hat sie nicht entfernt.',
  "Platen's metafields remain on the order although the shop stopped using Platen: the order was deleted, or Platen can no longer read it.":
    'Platens Metafelder bleiben an der Bestellung, obwohl der Shop Platen nicht mehr verwendet: Die Bestellung wurde gelöscht, oder Platen kann sie nicht mehr lesen.',
  'The fulfillment was released in the store because the shop stopped using Platen.':
    'Die Ausführung wurde im Shop freigegeben, weil der Shop Platen nicht mehr verwendet.',
  "Platen's hold remains on the fulfillment although the shop stopped using Platen: the store did not release it. Release it on the order's page in the store.":
    'Die Ausführung bleibt angehalten, obwohl der Shop Platen nicht mehr verwendet: Der Shop hat sie nicht freigegeben. Geben Sie sie auf der Seite der Bestellung im Shop frei.',
  'in Platen': 'in Platen',
  'by the tag "platen: held"': 'durch den Tag „platen: held“',
  'in the order\'s metafield "hold"': 'im Metafeld „hold“ der Bestellung',
  'This fulfillment cannot currently be put on hold in the store. The reason for the wait is shown {places:list}.':
    'Diese Ausführung kann im Shop zurzeit nicht angehalten werden. Der Grund erscheint {places:list}.',
  'The fulfillment was released in the store.': 'Die Ausführung wurde im Shop freigegeben.',
  'The fulfillment was put on hold in the store.': 'Die Ausführung wurde im Shop angehalten.',
  'Printing has started ({reference}).': 'Der Druck hat begonnen ({reference}).',
  'The store did not accept the report that printing has started.':
    'Der Shop hat die Meldung, dass der Druck begonnen hat, nicht angenommen.',
  'Reported to the store: {says:text}': 'An den Shop gemeldet: {says:text}',
  'The parcel of {reference} with {codes:text} was reported to the store as {status:text}.':
    'Das Paket von {reference} wurde dem Shop gemeldet ({codes:text}): {status:text}.',
  'in transit': 'unterwegs',
  delivered: 'zugestellt',
  'The store refused an update to this order (progress, tags, metafields, events or Flow triggers). Platen retries it at increasing intervals. Printing and shipping are not affected.':
    'Der Shop hat eine Aktualisierung dieser Bestellung abgelehnt (Fortschritt, Tags, Metafelder, Ereignisse oder Flow-Auslöser). Platen wiederholt sie in wachsenden Abständen. Druck und Versand sind nicht betroffen.',
};
