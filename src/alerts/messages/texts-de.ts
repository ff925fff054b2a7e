import type { MessageTexts } from './message-texts.ts';

const count = (number: number, one: string, many: string): string => `${number} ${number === 1 ? one : many}`;

/** The texts of messages in German. */
export const deTexts: MessageTexts = {
  conditions: {
    key_refused: {
      started: 'Der Druckdienst lehnt Ihren API-Schlüssel ab',
      text: 'Platen sendet nichts zum Drucken, bis der Schlüssel funktioniert. Prüfen Sie, ob er noch gültig ist, und geben Sie ihn in den Einstellungen erneut ein.',
      ended: 'Der Druckdienst akzeptiert Ihren API-Schlüssel wieder.',
    },
    payment_refused: {
      started: 'Der Druckdienst lehnt Ihre Zahlungen ab',
      text: 'Bestellungen warten, bis eine Zahlung gelingt. Ändern Sie die Zahlungsart Ihres Kontos beim Druckdienst.',
      ended: 'Der Druckdienst nimmt Ihre Zahlungen wieder an.',
    },
    signed_out: {
      started: 'Platen hat keinen Zugriff mehr auf Ihren Shop',
      text: 'Platen kann keine neuen Bestellungen lesen. Öffnen Sie Platen im Adminbereich Ihres Shops, um sich wieder anzumelden.',
      ended: 'Platen hat wieder Zugriff auf Ihren Shop.',
    },
    server_refused: {
      started: 'Shopify lehnt den Server von Platen ab',
      text: 'Platen kann Ihre Bestellungen weder lesen noch als ausgeführt markieren. Der Betreiber von Platen muss die Adresse des Servers oder die Zugangsdaten der App korrigieren.',
      ended: 'Shopify akzeptiert den Server von Platen wieder.',
    },
    fenced_off: {
      started: 'Eine andere Datenbank von Platen hat Ihren Shop übernommen',
      text: 'Diese sendet nichts, damit nichts doppelt gedruckt wird. Der Betreiber von Platen muss eine der beiden stoppen.',
      ended: 'Diese Datenbank handelt wieder für Ihren Shop.',
    },
    other_app: {
      started: 'Eine andere App druckt die Bestellungen Ihres Shops mit demselben Druckkonto',
      text: 'Ihre Bestellungen sind angehalten, damit keine doppelt gedruckt wird. Trennen Sie die andere App, und bestätigen Sie dann auf der Startseite, dass Platen drucken darf.',
      ended: 'Keine andere App druckt mehr mit Ihrem Druckkonto, oder Sie haben es erlaubt.',
    },
    store_silent: {
      started: 'Aus Ihrem Shop kommen keine Webhooks an',
      text: 'Platen findet Ihre Bestellungen durch regelmäßige Abfragen, aber später. Der Betreiber von Platen muss die Webhooks und die öffentliche Adresse der App prüfen.',
      ended: 'Aus Ihrem Shop kommen wieder Webhooks an.',
    },
    print_silent: {
      started: 'Vom Druckdienst kommen keine Aktualisierungen an',
      text: 'Platen findet den Fortschritt Ihrer Bestellungen durch regelmäßige Abfragen, aber später. Erstellen Sie in den Einstellungen eine neue Adresse für Aktualisierungen, und tragen Sie sie beim Druckdienst ein.',
      ended: 'Vom Druckdienst kommen wieder Aktualisierungen an.',
    },
  },
  ended: 'Behoben',
  subjectOf: (shop, what) => `${shop}: ${what}`,
  heldSubject: (orders) => `${count(orders, 'Bestellung braucht', 'Bestellungen brauchen')} Ihre Aufmerksamkeit`,
  held: (orders) => `${count(orders, 'Bestellung ist', 'Bestellungen sind')} angehalten`,
  heldFor: (reason, orders) => `${reason}: ${count(orders, 'Bestellung', 'Bestellungen')}`,
  all: (orders) => count(orders, 'Bestellung', 'Bestellungen'),
  others: (orders) => `${count(orders, 'weitere Bestellung', 'weitere Bestellungen')}`,
  showHeld: 'Alle angehaltenen Bestellungen anzeigen',
  open: 'Platen öffnen',
  alertFooter: 'Platen sendet diese Nachricht, wenn etwas Ihre Aufmerksamkeit braucht, höchstens einmal pro Stunde.',
  settings: 'Benachrichtigungen ändern',
  test: {
    subject: 'Testnachricht von Platen',
    title: 'Ihre Benachrichtigungen kommen hier an',
    text: 'Platen sendet eine Nachricht, wenn Bestellungen angehalten sind oder eine Verbindung ausfällt. Dies ist ein Test. Sie müssen nichts tun.',
  },
  digest: {
    subject: (shop) => `${shop}: Ihre Woche mit Platen`,
    title: (from, to) => `${from} – ${to}`,
    orders: 'Eingegangene Bestellungen',
    timeToShip: 'Zeit von der Zahlung bis zum Versand',
    shipped: (orders) =>
      `Median von ${count(orders, 'in dieser Woche versandten Bestellung', 'in dieser Woche versandten Bestellungen')}`,
    cost: 'Vom Druckdienst berechnet',
    paid: 'Von Käufern bezahlt',
    margin: 'Marge',
    unknown: (printOrders) => `ohne ${count(printOrders, 'Druckauftrag', 'Druckaufträge')} mit unbekannter Marge`,
    tooMany:
      'In dieser Woche gab es zu viele Druckaufträge, um die Kosten hier zu summieren. Sie finden die Kosten auf der Seite „Aktivität“.',
    holds: 'Angehaltene Bestellungen',
    stillOpen: (orders) => `${orders} noch angehalten`,
    total: 'Insgesamt',
    before: (value) => `Vorwoche: ${value}`,
    none: 'keine',
    hours: (hours) => `${hours} Stunden`,
    days: (days) => `${days} Tage`,
    show: 'Bestellungen und Kosten anzeigen',
    footer: 'Platen sendet diese Übersicht jeden Montag nach einer Woche mit Bestellungen.',
  },
};
