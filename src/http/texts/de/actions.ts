import type { MessageCatalog } from '../create-translator.ts';

/** The results and refusals of a merchant's actions on an order. */
export const actions: MessageCatalog = {
  'A workflow in Shopify Flow requested this.': 'Ein Workflow in Shopify Flow hat dies veranlasst.',
  'This print order is not a draft that is waiting for approval. Approve the whole order instead.':
    'Dieser Druckauftrag ist kein Entwurf, der auf Freigabe wartet. Geben Sie stattdessen die ganze Bestellung frei.',
  'Platen confirms {reference}.': 'Platen bestätigt {reference}.',
  'Platen confirms {reference} in the print account that the shop used before.':
    'Platen bestätigt {reference} im früheren Druckkonto des Shops.',
  '{reference} is a draft in the print account that the shop used before: approve this print order by its reference to confirm it there, or choose "Print again" for it.':
    '{reference} ist ein Entwurf im früheren Druckkonto des Shops: Geben Sie diesen Druckauftrag über seine Referenz frei, um ihn dort zu bestätigen, oder wählen Sie für ihn „Erneut drucken“.',
  'A single print order cannot be canceled because Platen would plan it again. Cancel the whole order instead.':
    'Ein einzelner Druckauftrag kann nicht storniert werden, weil Platen ihn neu planen würde. Stornieren Sie die ganze Bestellung.',
  'Printing of {name} was canceled by hand: Platen sends no further items to print. The order in the store is not canceled.':
    'Der Druck von {name} wurde von Hand storniert: Platen gibt nichts mehr in den Druck. Die Bestellung im Shop ist nicht storniert.',
  'Platen sends no further items of {name} to print. This does not cancel the order in the store: cancel or refund it there.':
    'Platen gibt von {name} nichts mehr in den Druck. Die Bestellung im Shop ist damit nicht storniert: Stornieren oder erstatten Sie sie dort.',
  '{name} is being canceled, but the print service is not responding. Try again in a few minutes.':
    '{name} wird storniert, aber der Druckdienst antwortet nicht. Versuchen Sie es in einigen Minuten erneut.',
  "Cancel it in the print service's dashboard.": 'Stornieren Sie den Auftrag im Dashboard des Druckdienstes.',
  'The customer data of {name} was erased.': 'Die Kundendaten von {name} wurden gelöscht.',
  '{name} has no hold that "Continue" can resolve.': 'Für {name} gibt es nichts, was „Fortsetzen“ lösen kann.',
  'The hold about the unknown order at the print service is resolved.':
    'Der unbekannte Auftrag beim Druckdienst ist geklärt.',
  'The draft of {reference} does not contain the latest changes to the order in the store. Choose "Print again" to create a new draft with them.':
    'Der Entwurf von {reference} enthält die letzten Änderungen der Bestellung im Shop nicht. Wählen Sie „Erneut drucken“, um einen neuen Entwurf damit anzulegen.',
  '{reference} stays a draft with the changes made at the print service.':
    '{reference} bleibt ein Entwurf mit den Änderungen, die beim Druckdienst gemacht wurden.',
  '{reference} is confirmed with the changes made to its draft.':
    '{reference} wird mit den Änderungen am Entwurf bestätigt.',
  '{reference} is fulfilled without a tracking code; a code that arrives later is added.':
    '{reference} ist ohne Sendungsnummer ausgeführt. Eine spätere Nummer wird ergänzt.',
  '{reference} continues as it was sent, without the later changes in the store.':
    '{reference} wird wie gesendet fortgesetzt, ohne die späteren Änderungen im Shop.',
  '{reference} is closed: the units that the print service already has are counted.':
    '{reference} ist geschlossen: Was der Druckdienst bereits hat, wird angerechnet.',
  'The hold about the unknown order is resolved. Platen searches for {reference} at the print service again.':
    'Der unbekannte Auftrag ist geklärt. Platen sucht {reference} erneut beim Druckdienst.',
  '{reference} continues after another search at the print service.':
    '{reference} läuft nach einer weiteren Suche beim Druckdienst weiter.',
  'For another print order of this order, the items at the print service differ from those that Platen sent. Resolve that hold first, or continue the whole order.':
    'Bei einem anderen Druckauftrag dieser Bestellung weichen die Artikel beim Druckdienst von den gesendeten ab. Klären Sie dies zuerst, oder setzen Sie die ganze Bestellung fort.',
  '{reference} continues as it is at the print service.':
    '{reference} wird fortgesetzt, wie der Auftrag jetzt beim Druckdienst ist.',
  'The print service is not responding. Try again in a few minutes.':
    'Der Druckdienst antwortet nicht. Versuchen Sie es in einigen Minuten erneut.',
  'The database was restored, and Platen has not yet compared {name} with the print service. Try again in a few minutes.':
    'Die Datenbank wurde wiederhergestellt, und Platen hat {name} noch nicht mit dem Druckdienst abgeglichen. Versuchen Sie es in einigen Minuten erneut.',
  'The print service still prints {reference}, so Platen would print its items again. Cancel it in the print service\'s dashboard, then choose "Continue". If it can no longer be canceled, choose "Cancel printing", and fulfill its items in your store.':
    'Der Druckdienst druckt {reference} noch, daher würde Platen die Artikel ein zweites Mal drucken. Stornieren Sie den Auftrag im Dashboard des Druckdienstes, und wählen Sie dann „Fortsetzen“. Lässt er sich nicht mehr stornieren, wählen Sie „Druck stornieren“, und erfüllen Sie die Artikel in Ihrem Shop.',
  'The print service still has several orders with the reference {reference}. Cancel all but one of them in its dashboard.':
    'Der Druckdienst hat noch mehrere Aufträge mit der Referenz {reference}. Stornieren Sie in seinem Dashboard alle bis auf einen.',
  'The print service does not yet show the final status of the previous order. Try again in a few minutes.':
    'Der Druckdienst zeigt den endgültigen Status des früheren Auftrags noch nicht. Versuchen Sie es in einigen Minuten erneut.',
  '{reference} continues as the remaining order at the print service ({id}).':
    '{reference} läuft als der verbleibende Auftrag beim Druckdienst weiter ({id}).',
  'There is no such order.': 'Diese Bestellung gibt es nicht.',
  'This shop has no order {name:words}.': 'Dieser Shop hat keine Bestellung {name:words}.',
  'Several orders are named {name}. Use the ID of one of them.':
    'Mehrere Bestellungen heißen {name}. Verwenden Sie die ID einer Bestellung.',
  '{name} has no print order {reference:words}.': '{name} hat keinen Druckauftrag {reference:words}.',
  'The print service has an order for {name} that Platen does not know. Check that order, then choose "Continue" or "Cancel printing".':
    'Der Druckdienst hat für {name} einen Auftrag, den Platen nicht kennt. Prüfen Sie ihn, und wählen Sie dann „Fortsetzen“ oder „Druck stornieren“.',
  'Approved, but still on hold: {why:text}': 'Freigegeben, aber weiterhin angehalten: {why:text}',
  '{name} was canceled in the store.': '{name} wurde im Shop storniert.',
  'The customer data of {name} was erased, so the order cannot be printed.':
    'Die Kundendaten von {name} wurden gelöscht. Daher kann die Bestellung nicht gedruckt werden.',
  'A single print order cannot be held. Hold the whole order instead.':
    'Ein einzelner Druckauftrag kann nicht angehalten werden. Halten Sie die ganze Bestellung an.',
  '{name} is held by hand: Platen sends no further items of the order until it is approved.':
    '{name} ist von Hand angehalten: Platen sendet nichts mehr, bis die Bestellung freigegeben wird.',
  '{reference} was already sent to print and is not recalled. Cancel the order to try to stop it.':
    '{reference} ging bereits in den Druck und wird nicht zurückgeholt. Stornieren Sie die Bestellung, um den Druck möglichst noch zu stoppen.',
  '{name} is on hold: Platen sends no further items of the order until it is approved.':
    '{name} ist angehalten: Platen sendet nichts mehr, bis die Bestellung freigegeben wird.',
  'This order has no print orders.': 'Diese Bestellung hat keine Druckaufträge.',
  'Nothing can be printed again.': 'Es gibt nichts, was erneut gedruckt werden kann.',
  '{name} is no longer canceled: Platen prints the units that the store still needs.':
    '{name} ist nicht mehr storniert: Platen druckt, was der Shop noch braucht.',
  "{reference} was reported as failed only by an event, so it may still be printed. Check the print service's dashboard, then choose this print order by its reference.":
    'Nur ein Ereignis hat {reference} als fehlgeschlagen gemeldet. Vielleicht wird der Auftrag noch gedruckt. Prüfen Sie das Dashboard des Druckdienstes, und wählen Sie dann diesen Druckauftrag über seine Referenz.',
  '{reference} is already closed, and its items can already be printed again.':
    '{reference} ist bereits geschlossen, und die Artikel können bereits erneut gedruckt werden.',
  '{reference} has items that will not arrive, and they are already being printed again.':
    'Zu {reference} gehören Artikel, die nicht ankommen. Sie werden bereits erneut gedruckt.',
  '{reference} is already being closed.': '{reference} wird bereits geschlossen.',
  '{reference} is being canceled. Wait until the cancellation has ended.':
    '{reference} wird storniert. Warten Sie, bis die Stornierung abgeschlossen ist.',
  '{reference} belongs to another print account. Cancel it in that account, then choose this print order by its reference.':
    '{reference} gehört zu einem anderen Druckkonto. Stornieren Sie den Auftrag dort, und wählen Sie dann diesen Druckauftrag über seine Referenz.',
  '{reference} has shipped. To print it a second time, choose this print order by its reference.':
    '{reference} ist versandt. Um noch einmal zu drucken, wählen Sie diesen Druckauftrag über seine Referenz.',
  '{reference} may still be printed. Cancel it first.':
    '{reference} wird vielleicht noch gedruckt. Stornieren Sie zuerst den Auftrag.',
  '{reference} is printed again under a new reference once the print service shows no live order for it.':
    '{reference} wird unter einer neuen Referenz erneut gedruckt, sobald der Druckdienst dafür keinen laufenden Auftrag mehr zeigt.',
  '{reference} is printed again through the current print account. Make sure that you have canceled it in the other account.':
    '{reference} wird über das jetzige Druckkonto erneut gedruckt. Vergewissern Sie sich, dass Sie den Auftrag im anderen Konto storniert haben.',
  'You confirmed that {reference} was never created. Its cancellation ends once a search at the print service finds nothing.':
    'Sie haben bestätigt, dass {reference} nie angelegt wurde. Die Stornierung endet, sobald eine Suche beim Druckdienst nichts findet.',
  'The items of {reference} that will not arrive are printed again: {names:list}.':
    'Diese Artikel von {reference}, die nicht ankommen, werden erneut gedruckt: {names:list}.',
  '{reference} was already produced. The units that the store still needs are printed a second time. If the store has a fulfillment for {reference}, cancel it.':
    '{reference} wurde bereits produziert. Was der Shop noch braucht, wird ein zweites Mal gedruckt. Gibt es im Shop eine Ausführung für {reference}, stornieren Sie diese.',
  '{name} will be read from the store and planned again.': '{name} wird neu aus dem Shop gelesen und neu geplant.',
  'Items that were canceled in time stay canceled. Choose "Approve" to print them after all.':
    'Rechtzeitig stornierte Artikel bleiben storniert. Wählen Sie „Freigeben“, um sie doch zu drucken.',
  'This print order has nothing to retry.': 'Bei diesem Druckauftrag gibt es nichts zu wiederholen.',
  '{reference} is pushed to the store again.': '{reference} wird erneut an den Shop übertragen.',
  '{reference} waits one more day for {what:text}.': '{reference} wartet noch einen Tag: {what:text}.',
  '{reference} waits {days} more days for {what:text}.': '{reference} wartet noch {days} Tage: {what:text}.',
  'its tracking code': 'auf die Sendungsnummer',
  'the print service': 'auf den Druckdienst',
  '{reference} is read again from the print service.': 'Platen ruft {reference} erneut beim Druckdienst ab.',
  '{reference} is looked up at the print service.': '{reference} wird beim Druckdienst gesucht.',
  '{reference}: the draft is confirmed again.': '{reference}: Der Entwurf wird erneut bestätigt.',
  '{reference} is confirmed again with the same draft.': '{reference} wird mit demselben Entwurf erneut bestätigt.',
  '{reference} is closed, then planned and quoted again under a new reference.':
    '{reference} wird geschlossen. Platen plant den Auftrag unter einer neuen Referenz und holt ein neues Angebot ein.',
  '{reference}: Platen sends it again.': '{reference}: Platen sendet den Auftrag erneut.',
  '{reference}: Platen requests its price and shipping again.':
    '{reference}: Platen fragt Preis und Versand erneut an.',
  '{reference} is sent again.': '{reference} wird erneut gesendet.',
  '{reference} is quoted again.': 'Für {reference} wird ein neues Angebot eingeholt.',
  '{name} is a test order: its draft stays at the print service and is not printed.':
    '{name} ist eine Testbestellung: Der Entwurf bleibt beim Druckdienst und wird nicht gedruckt.',
  '{name} is approved: Platen prints it unless something else holds it.':
    '{name} ist freigegeben: Platen druckt die Bestellung, wenn nichts anderes sie anhält.',
  '{name} is already fulfilled: the approval changes nothing.':
    '{name} ist bereits ausgeführt: Die Freigabe ändert nichts.',
  '{name} has already shipped: the approval changes nothing.':
    '{name} ist bereits versandt: Die Freigabe ändert nichts.',
  '{name} was already sent to print: the approval changes nothing.':
    '{name} ging bereits in den Druck: Die Freigabe ändert nichts.',
  '{reference} was not sent to print: it is closed, and its draft is deleted.':
    '{reference} ging nicht in den Druck: Der Druckauftrag ist geschlossen, sein Entwurf gelöscht.',
  '{reference} has already failed or was already canceled at the print service.':
    '{reference} ist beim Druckdienst bereits fehlgeschlagen oder storniert.',
  '{reference} has shipped and will arrive: it is too late to cancel it.':
    '{reference} ist versandt und kommt an: Für eine Stornierung ist es zu spät.',
  '{reference} could not be canceled: {why:text}.': '{reference} konnte nicht storniert werden: {why:text}.',
  "{reference} cannot be canceled from here. Cancel it in the print service's dashboard.":
    '{reference} kann von hier aus nicht storniert werden. Stornieren Sie den Auftrag im Dashboard des Druckdienstes.',
  'Platen is asking the print service to cancel {reference}, which is already being printed, so the print service may refuse. The timeline will show the result.':
    'Platen bittet den Druckdienst, {reference} zu stornieren. Der Druck hat schon begonnen, daher lehnt er vielleicht ab. Das Ergebnis erscheint im Verlauf.',
  'Platen is asking the print service to cancel {reference}, which is possible until it is printed. The timeline will show the result.':
    'Platen bittet den Druckdienst, {reference} zu stornieren. Das ist möglich, bis gedruckt wird. Das Ergebnis erscheint im Verlauf.',
  'No part of this order has failed, has been canceled at the print service or has been returned.':
    'Kein Teil dieser Bestellung ist fehlgeschlagen, beim Druckdienst storniert oder zurückgesendet.',
  'For this order, the print service has another order that may still be printed. Resolve its hold first, then choose "Continue".':
    'Der Druckdienst hat für diese Bestellung einen weiteren Auftrag, der vielleicht noch gedruckt wird. Entscheiden Sie zuerst darüber, und wählen Sie dann „Fortsetzen“.',
  'Nothing is left to fulfill in the store for these items. {name} is no longer waiting for them.':
    'Für diese Artikel ist im Shop nichts mehr auszuführen. {name} wartet nicht mehr auf sie.',
  'Nothing is left to fulfill in the store for the items that will not arrive.':
    'Für die Artikel, die nicht ankommen, ist im Shop nichts mehr auszuführen.',
  'The fulfillment was already closed.': 'Die Ausführung war bereits abgeschlossen.',
  '{items:list} will not be fulfilled again.': '{items:list} wird nicht erneut ausgeführt.',
  'The print service will not print {items:list}.': 'Der Druckdienst druckt nicht: {items:list}.',
  'The fulfillment of {items:list} is closed in the store.': 'Die Ausführung ist im Shop abgeschlossen: {items:list}.',
  '{more} more lines': '{more} weitere Artikel',
  'The fulfillment is at another location, so only you can close it.':
    'Die Ausführung liegt an einem anderen Standort, daher können nur Sie sie abschließen.',
  'Refund the lines in your store, or fulfill them by hand there.':
    'Erstatten Sie die Artikel in Ihrem Shop, oder führen Sie sie dort selbst aus.',
  'Then choose "Close in the store" again.': 'Wählen Sie dann erneut „Im Shop abschließen“.',
  '{reference}, which is part of the same fulfillment, is still in progress. Close the rest after it is fulfilled.':
    '{reference} gehört zu derselben Ausführung und ist noch in Arbeit. Schließen Sie den Rest ab, wenn dieser Auftrag ausgeführt ist.',
  'The store closes only fulfillments that are accepted and in progress, but this fulfillment is {status:list}.':
    'Der Shop schließt nur Ausführungen ab, die angenommen und in Arbeit sind. Diese hat den Status „{status:list}“.',
  'The store did not close the fulfillment: {words:words}':
    'Der Shop hat die Ausführung nicht abgeschlossen: {words:words}',
  'since: must not be in the future.': 'since: darf nicht in der Zukunft liegen.',
  'The print account has more than {number} orders since that time, too many to check whether someone else printed through it. Choose a later time. If nobody else has, or if their orders are fulfilled in the store, confirm with --beside-other-app on the command line (besideOtherApp in the API).':
    'Das Druckkonto hat seit diesem Zeitpunkt mehr als {number} Aufträge. Das sind zu viele, um zu prüfen, ob jemand anderes darüber gedruckt hat. Wählen Sie einen späteren Zeitpunkt. Hat niemand sonst darüber gedruckt, oder sind diese Bestellungen im Shop ausgeführt, bestätigen Sie dies.',
  '{who:text} has printed orders through the same print account since that time. Orders that are not yet fulfilled in the store would be printed twice. List the orders with a dry run. Then fulfill the orders in the store, or choose a later time. Once those orders no longer need printing, confirm with --beside-other-app on the command line (besideOtherApp in the API).':
    '{who:text} hat seit diesem Zeitpunkt über dasselbe Druckkonto gedruckt. Bestellungen, die im Shop noch nicht ausgeführt sind, würden doppelt gedruckt. Sehen Sie sich die Bestellungen in der Vorschau an. Führen Sie sie dann im Shop aus, oder wählen Sie einen späteren Zeitpunkt. Müssen sie nicht mehr gedruckt werden, bestätigen Sie dies.',
  'Another app (store {stores})': 'Eine andere App (Shop {stores})',
  'Another installation of Platen': 'Eine andere Installation von Platen',
  'The store removed Platen after the backfill started.':
    'Der Shop hat Platen entfernt, nachdem der Import begonnen hat.',
  'Install Platen in the store and sign in first.': 'Installieren Sie Platen zuerst im Shop, und melden Sie sich an.',
  'Enter the key of the print account first, so that Platen can check who else has printed through it since that time. If nobody else has, or if their orders no longer need printing, confirm with --beside-other-app on the command line (besideOtherApp in the API).':
    'Geben Sie zuerst den Schlüssel des Druckkontos ein, damit Platen prüfen kann, wer seit diesem Zeitpunkt sonst darüber gedruckt hat. Hat niemand sonst darüber gedruckt, oder müssen diese Bestellungen nicht mehr gedruckt werden, bestätigen Sie dies.',
  'A dry run of this shop is under way. You can start the next one when it ends.':
    'Eine Vorschau dieses Shops läuft gerade. Die nächste können Sie starten, wenn sie beendet ist.',
  'A backfill of this shop is under way. You can start the next one when it ends.':
    'Ein Import dieses Shops läuft gerade. Den nächsten können Sie starten, wenn er beendet ist.',
  'The print service is unavailable, so the backfill was not started. Try again in a few minutes.':
    'Der Druckdienst ist nicht erreichbar. Daher wurde der Import nicht gestartet. Versuchen Sie es in einigen Minuten erneut.',
  'in progress': 'in Arbeit',
  open: 'offen',
  scheduled: 'geplant',
  incomplete: 'unvollständig',
  cancelled: 'storniert',
  closed: 'abgeschlossen',
  unsubmitted: 'nicht angefordert',
  accepted: 'angenommen',
  rejected: 'abgelehnt',
  'cancellation requested': 'Stornierung angefordert',
  'cancellation accepted': 'Stornierung angenommen',
  'cancellation rejected': 'Stornierung abgelehnt',
  'There is no such data request.': 'Diese Auskunftsanfrage gibt es nicht.',
  'Platen has already been removed from the store, so nothing can be undone there anymore.':
    'Platen wurde bereits aus dem Shop entfernt. Dort lässt sich nichts mehr rückgängig machen.',
  "Platen must sign in to the store first. Open Platen once in the store's admin.":
    'Platen muss sich zuerst beim Shop anmelden. Öffnen Sie Platen einmal im Adminbereich des Shops.',
  'The variant or SKU has no print link yet. Link it to a print product, then print the waiting orders.':
    'Die Variante oder SKU hat noch keine Druckverknüpfung. Verknüpfen Sie sie mit einem Druckprodukt, und drucken Sie dann die wartenden Bestellungen.',
};
