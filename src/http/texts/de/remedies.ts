import { holdCodes, remedyOf, UNKNOWN_ORDER_FIRST, type HoldCode } from '../../../orders/facts/hold-codes.ts';
import type { MessageCatalog } from '../create-translator.ts';

/** The remedy for each hold. A new code without a translation fails the type check. */
const byCode: Record<HoldCode, string> = {
  address_too_long:
    'Kürzen Sie dieses Feld der Lieferadresse unter „Adresse ändern“ oder in Ihrem Shop. Danach geht es automatisch weiter.',
  address_missing_field:
    'Füllen Sie dieses Feld der Lieferadresse unter „Adresse ändern“ oder in Ihrem Shop aus. Danach geht es automatisch weiter.',
  local_script:
    'Schreiben Sie unter „Adresse ändern“ oder in Ihrem Shop Adresszeilen und Ort in der Schrift des Landes, mit höchstens 10 lateinischen Buchstaben pro Zeile und keinem im Ort. Namen können bleiben. Danach geht es automatisch weiter.',
  federal_tax_id:
    'Fragen Sie den Käufer nach der CPF oder CNPJ. Geben Sie sie unter „Adresse ändern“ ein, oder tragen Sie sie in Ihrem Shop in den zusätzlichen Details der Bestellung unter dem Namen CPF oder CNPJ ein. Danach geht es automatisch weiter.',
  state_tax_id:
    'Fragen Sie den Käufer nach der Steuerregistrierung der Firma (Inscrição Estadual). Geben Sie sie unter „Adresse ändern“ ein, oder tragen Sie sie in Ihrem Shop in den zusätzlichen Details der Bestellung unter dem Namen IE ein. Danach geht es automatisch weiter.',
  protected_data:
    'Der Betreiber dieser App muss in Shopifys Partner- oder Dev-Dashboard die Freigabe für geschützte Kundendaten der Stufe 2 einholen (Name, Adresse, Telefon und E-Mail). Danach geht es automatisch weiter.',
  email_missing:
    'Ergänzen Sie die E-Mail-Adresse der Bestellung unter „Adresse ändern“ oder in Ihrem Shop, oder legen Sie unter „Adressen“ eine Ersatzadresse fest. Danach geht es automatisch weiter.',
  no_print_account:
    'Geben Sie unter „Druckkonto“ den API-Schlüssel Ihres Druckkontos ein. Danach geht es automatisch weiter.',
  print_account_refused:
    'Der Druckdienst lehnt den API-Schlüssel ab. Prüfen Sie, ob er noch gültig ist, und geben Sie ihn unter „Druckkonto“ erneut ein. Bestellungen gehen automatisch weiter, sobald der Schlüssel funktioniert.',
  print_account_changed:
    'Diese Bestellung wurde mit einem anderen Druckkonto begonnen. Geben Sie dessen Schlüssel unter „Druckkonto“ wieder ein. Oder stornieren Sie den Auftrag in jenem Konto, und wählen Sie „Erneut drucken“.',
  needs_approval:
    'Prüfen Sie die Bestellung. Wählen Sie dann „Freigeben“, um sie zu drucken, oder „Druck stornieren“, wenn sie nicht gedruckt werden soll. Welche Bestellungen warten, legen Sie unter „Freigabe“ fest.',
  held_by_hand:
    'Jemand hat diese Bestellung in Platen angehalten. Wählen Sie „Freigeben“, um sie zu drucken, oder „Druck stornieren“, wenn sie nicht gedruckt werden soll.',
  high_risk:
    'Prüfen Sie die Betrugsanalyse der Bestellung in Ihrem Shop. Vertrauen Sie der Bestellung, wählen Sie „Freigeben“. Sonst stornieren und erstatten Sie sie in Ihrem Shop.',
  no_print_link:
    'Wählen Sie „Diese Variante verknüpfen“, um sie mit einem Druckprodukt und einer Druckdatei zu verknüpfen. Angehaltene Bestellungen werden dann automatisch neu geplant.',
  not_linked:
    'Wählen Sie „Diese Variante verknüpfen“, um sie mit einem Druckprodukt zu verknüpfen. Wählen Sie dann „Wartende Bestellungen drucken“, oder „Wartende Bestellungen nicht drucken“. Versenden Sie dieses Produkt selbst, wählen Sie einmal „Ich versende es selbst“. Platen fragt dann nicht mehr.',
  print_file_refused:
    'Prüfen Sie in Ihrem Shop die Eigenschaft des Artikels oder seines Bundles. Ist nur der Host der Datei nicht erlaubt, erlauben Sie ihn unter „Produkte und Bestand“. Danach geht es automatisch weiter. Sonst legen Sie eine neue Bestellung mit einer brauchbaren Datei an, und entfernen Sie den Artikel aus dieser Bestellung oder führen Sie ihn selbst aus.',
  variant_deleted:
    'Die Variante wurde in Ihrem Shop gelöscht. Daher weiß Platen nicht mehr, was zu drucken ist. Wählen Sie „Diese SKU verknüpfen“. Danach geht es automatisch weiter. Soll der Artikel nicht gedruckt werden, führen Sie ihn in Ihrem Shop selbst aus, oder entfernen Sie ihn aus der Bestellung.',
  not_connected:
    'Verbinden Sie die Variante im Dashboard des Druckdienstes mit ihrem Produkt, oder markieren Sie sie dort als ignoriert, wenn sie nicht gedruckt wird. Danach geht es automatisch weiter. „Produkte“ zeigt das Produkt und den Grund.',
  no_address:
    'Tragen Sie unter „Adresse ändern“ oder in Ihrem Shop eine Lieferadresse ein. Danach geht es automatisch weiter.',
  pickup_point:
    'Geben Sie unter „Adresse ändern“ eine Postadresse ein. Platen druckt die Bestellung dann für diese Adresse. Oder führen Sie die Bestellung selbst aus.',
  another_app_prints:
    'Trennen Sie die andere App vom Druckkonto, und wählen Sie dann „Platen drucken lassen“. Danach geht es automatisch weiter.',
  quote_refused:
    'Der Druckdienst hat für diese Bestellung kein Angebot gemacht. Beheben Sie das Problem, das er meldet, und wählen Sie „Wiederholen“. Ändern Sie die Bestellung oder die Druckverknüpfung, holt Platen automatisch ein neues Angebot ein.',
  no_shipment_method:
    'Für diese Bestellung ist keine Versandart wählbar. Tun Sie, was die Meldung sagt. Nach einer Änderung der Adresse, der Versandart oder der Regeln holt Platen automatisch ein neues Angebot ein.',
  create_refused:
    'Der Druckdienst hat diesen Auftrag abgelehnt. Beheben Sie das Problem, das er meldet, und wählen Sie „Wiederholen“. Ändern Sie die Bestellung oder die Druckverknüpfung, sendet Platen den Auftrag automatisch erneut.',
  confirm_refused:
    'Der Druckdienst hat einen Entwurf dieser Bestellung, nimmt die Bestätigung aber nicht an. Beheben Sie das Problem, das er meldet, und wählen Sie „Fortsetzen“, um denselben Entwurf zu bestätigen. Ändern Sie die Bestellung oder die Druckverknüpfung, legt Platen automatisch einen neuen Entwurf an.',
  draft_edited:
    'Jemand hat den Entwurf beim Druckdienst geändert. Wählen Sie „Fortsetzen“, um ihn zu bestätigen, wie er jetzt ist, „Erneut drucken“, um ihn zu löschen und aus der Bestellung neu anzulegen, oder „Druck stornieren“.',
  left_as_draft:
    'Geben Sie den Entwurf im Dashboard des Druckdienstes frei, oder wählen Sie „Freigeben“, damit Platen ihn bestätigt.',
  outcome_unknown:
    'Der Druckdienst hat nicht bestätigt, ob er diesen Auftrag angenommen hat. Suchen Sie die Referenz in seinem Dashboard. Ist sie nicht dort, wählen Sie „Erneut drucken“.',
  unknown_print_order:
    'Der Druckdienst hat für diese Bestellung einen weiteren Auftrag, den Platen nicht kennt, vielleicht weil eine Sicherung wiederhergestellt wurde. Vergleichen Sie beide. Stornieren Sie dort den Auftrag, der nicht gedruckt werden soll, und wählen Sie „Fortsetzen“. Oder wählen Sie „Druck stornieren“.',
  printed_before:
    'Suchen Sie den Auftrag im Dashboard des Druckdienstes. Wurde er verschickt, erfüllen Sie die Artikel im Shop mit der Sendungsnummer von dort. Hatte der Shop damals ein anderes Druckkonto, geben Sie unter „Druckkonto“ den Schlüssel dieses Kontos ein. Platen sucht dann erneut. Wurde der Auftrag nie gedruckt, legen Sie für diese Artikel eine neue Bestellung an. Soll nichts mehr gedruckt werden, wählen Sie „Druck stornieren“.',
  draft_gone:
    'Der Entwurf wurde beim Druckdienst entfernt. Wählen Sie „Erneut drucken“, um einen neuen Entwurf anzulegen.',
  order_missing:
    'Suchen Sie die Referenz im Dashboard des Druckdienstes. Vielleicht wurde der Auftrag dort entfernt. Ist er nicht dort, wählen Sie „Erneut drucken“.',
  several_orders:
    'Stornieren Sie im Dashboard des Druckdienstes alle Aufträge mit dieser Referenz bis auf einen. Wählen Sie dann „Fortsetzen“.',
  items_differ:
    'Der Auftrag beim Druckdienst enthält andere Artikel als diese Bestellung. Vergleichen Sie beide in seinem Dashboard. Wählen Sie dann „Fortsetzen“, um die Artikel dort zu übernehmen, oder „Druck stornieren“.',
  service_on_hold:
    'Öffnen Sie den Auftrag im Dashboard des Druckdienstes, und folgen Sie den Anweisungen dort. Danach geht es automatisch weiter. Soll er nicht gedruckt werden, wählen Sie „Druck stornieren“.',
  service_pending_approval:
    'Geben Sie den Auftrag im Dashboard des Druckdienstes frei. Danach geht es automatisch weiter. Soll er nicht gedruckt werden, wählen Sie „Druck stornieren“.',
  service_pending_personalization:
    'Schließen Sie die Personalisierung im Dashboard des Druckdienstes ab. Danach geht es automatisch weiter. Soll er nicht gedruckt werden, wählen Sie „Druck stornieren“.',
  service_not_connected:
    'Verbinden Sie das Produkt im Dashboard des Druckdienstes. Danach geht es automatisch weiter. Soll es nicht gedruckt werden, wählen Sie „Druck stornieren“.',
  service_failed:
    'Beheben Sie das Problem, das der Druckdienst meldet (meist die Druckdatei oder die Adresse), und wählen Sie „Erneut drucken“. Soll nicht mehr gedruckt werden, erstatten Sie dem Käufer den Betrag, und wählen Sie „Im Shop abschließen“.',
  service_canceled:
    'Soll weiterhin gedruckt werden, wählen Sie „Erneut drucken“. Sonst erstatten Sie dem Käufer den Betrag, und wählen Sie „Im Shop abschließen“.',
  service_returned:
    'Das Paket kam zurück. Klären Sie mit dem Käufer eine Adresse, und legen Sie eine neue Bestellung an, oder lassen Sie den Druckdienst das Paket erneut senden. Oder erstatten Sie dem Käufer den Betrag. Wählen Sie dann „Im Shop abschließen“.',
  payment_refused:
    'Bezahlen Sie diesen Auftrag im Dashboard des Druckdienstes, oder ändern Sie dort die Zahlungsart Ihres Kontos. Bestellungen gehen weiter, sobald der Druckdienst eine Zahlung annimmt. Hat er diesen Auftrag aufgegeben, wählen Sie danach „Erneut drucken“.',
  cannot_cancel:
    'Stornieren Sie den Auftrag im Dashboard des Druckdienstes, falls das noch möglich ist. Sonst wird er geliefert: Klären Sie mit dem Käufer, was geschehen soll. Wählen Sie dann „Fortsetzen“.',
  changed_after_submit:
    'Der Auftrag wird gedruckt, wie er gesendet wurde. Bis zum Druck können Sie „Druck stornieren“ wählen. Ist er storniert, wählen Sie „Freigeben“, um ihn mit den Änderungen zu drucken. Oder wählen Sie „Fortsetzen“, und vereinbaren Sie mit dem Käufer eine Rückgabe.',
  no_tracking:
    'Wählen Sie „Fortsetzen“, um die Bestellung ohne Sendungsnummer als ausgeführt zu markieren. Kommt später eine Nummer, ergänzt Platen sie. Wählen Sie „Wiederholen“, um länger zu warten. Wie lange Platen wartet, legen Sie unter „Nachrichten und Lieferscheine“ fest.',
  no_progress:
    'Fragen Sie beim Druckdienst nach dem Auftrag, und nennen Sie seine Referenz. Wählen Sie „Wiederholen“, um 14 weitere Tage zu warten, oder „Druck stornieren“. Ändert sich der Status, geht es automatisch weiter.',
  fulfillment_canceled:
    'Wählen Sie „Wiederholen“, um die Artikel wieder als ausgeführt zu markieren, „Erneut drucken“, wenn sie noch einmal gedruckt werden müssen, oder „Im Shop abschließen“.',
  step_failing:
    'Platen versucht es weiter, und es geht weiter, sobald der Schritt gelingt. Nennt die Meldung etwas, das Sie beheben können, beheben Sie es, und wählen Sie „Wiederholen“. Sonst fragen Sie beim Druckdienst nach, oder wählen Sie „Druck stornieren“.',
  fulfillment_refused:
    'Beheben Sie in Ihrem Shop das Problem, das die Meldung des Shops nennt, etwa eine angehaltene Ausführung. Platen versucht es dann sofort und danach jede Stunde. Oder führen Sie die Bestellung mit der gezeigten Sendungsnummer selbst aus.',
};

export const remedies: MessageCatalog = {
  ...Object.fromEntries(holdCodes.map((code) => [remedyOf(code), byCode[code]])),
  [UNKNOWN_ORDER_FIRST]: 'Klären Sie zuerst den unbekannten Druckauftrag.',
  [remedyOf('')]: 'Beheben Sie das Problem, das die Meldung beschreibt, und wählen Sie dann „Wiederholen“.',
};
