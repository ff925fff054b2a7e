import { deSettingChoices } from './de-setting-choices.ts';
import { deSettingFields } from './de-setting-fields.ts';
import type { SettingsTexts } from './en-settings.ts';

const count = (number: number, one: string, many: string): string => `${number} ${number === 1 ? one : many}`;

/** The texts of the settings pages in German. */
export const deSettings: SettingsTexts = {
  change: 'Ändern',
  open: (section) => `Ändern: ${section}`,
  saved: 'Ihre Änderungen sind gespeichert.',
  earlierTitle: 'Frühere Bestellungen drucken?',
  earlierText:
    'Bezahlte Bestellungen seit diesem Tag, die noch nicht ausgeführt sind, werden dann ebenfalls nach Ihren Freigaberegeln gedruckt.',
  saveEarlier: 'Speichern und drucken',
  any: 'Beliebig',
  noRows: 'Es gibt noch keine Einträge.',
  row: (number) => `Eintrag ${number}`,
  addRow: 'Eintrag hinzufügen',
  moveUp: 'Nach oben',
  moveRowUp: (number) => `Eintrag ${number} nach oben verschieben`,
  remove: 'Entfernen',
  removeRow: (number) => `Eintrag ${number} entfernen`,
  units: { minutes: 'Minuten', seconds: 'Sekunden', days: 'Tage' },
  sections: {
    connection: {
      title: 'Druckkonto',
      text: 'Geben Sie den Schlüssel Ihres Druckkontos ein, und nennen Sie dem Druckdienst eine Adresse für Aktualisierungen. Ohne Schlüssel wird nichts gedruckt.',
    },
    release: {
      title: 'Freigabe',
      text: 'Legen Sie fest, wann bezahlte Bestellungen gedruckt werden und welche auf Ihre Freigabe warten.',
    },
    shipping: {
      title: 'Versandregeln',
      text: 'Wählen Sie die Versandart nach Land, Produkt oder der Wahl des Käufers. Ohne Regel wird die günstigste Versandart verwendet.',
    },
    rates: {
      title: 'Versandpreise im Checkout',
      text: 'Zeigen Sie im Checkout die Versandpreise des Druckdienstes, mit Ihrem Aufschlag, Ihrer Rundung und Ihren Namen.',
    },
    address: {
      title: 'Adressen',
      text: 'Legen Sie fest, was Platen bei unvollständigen Adressen sendet und welcher Absender auf dem Paket steht.',
    },
    buyers: {
      title: 'Nachrichten und Lieferscheine',
      text: 'Legen Sie fest, wann Ihr Shop Käufer über den Versand informiert und was Ihre Lieferscheine zeigen.',
    },
    alerts: {
      title: 'Benachrichtigungen',
      text: 'Erhalten Sie eine E-Mail oder Chat-Nachricht, wenn Bestellungen angehalten sind oder eine Verbindung ausfällt, und jede Woche eine Übersicht.',
    },
    store: {
      title: 'Druckstatus in Ihrem Shop',
      text: 'Zeigen Sie den Druckstatus auf den Seiten Ihrer Bestellungen und Produkte. Braucht eine Option eine Berechtigung, bittet Ihr Shop Sie, sie zu erteilen.',
    },
    products: {
      title: 'Produkte und Bestand',
      text: 'Legen Sie fest, was mit nicht verknüpften Produkten geschieht und wo der Bestand gedruckter Produkte geführt wird.',
    },
    privacy: {
      title: 'Datenschutz',
      text: 'Legen Sie fest, wie lange Platen Adressen speichert und welche Daten der Druckdienst erhält.',
    },
    leaving: {
      title: 'Platen nicht mehr verwenden',
      text: 'Machen Sie Platens Änderungen in Ihrem Shop rückgängig, bevor Sie die App entfernen.',
    },
  },
  fields: deSettingFields,
  choices: deSettingChoices,
  key: 'Schlüssel',
  keyLabel: 'API-Schlüssel',
  keyText:
    'Sie finden den Schlüssel in Ihrem Konto beim Druckdienst. Platen testet einen neuen Schlüssel vor dem Speichern. Das kostet nichts und druckt nichts.',
  noKey: 'Es ist noch kein Schlüssel gespeichert.',
  hasKey: (last4) =>
    last4 === '' ? 'Ein Schlüssel ist gespeichert.' : `Ein Schlüssel mit der Endung ${last4} ist gespeichert.`,
  saveKey: 'Testen und speichern',
  keySaved: 'Der Druckdienst akzeptiert den Schlüssel. Er ist gespeichert.',
  testKey: 'Gespeicherten Schlüssel testen',
  keyWorks: 'Der Druckdienst akzeptiert den gespeicherten Schlüssel.',
  disconnect: 'Trennen',
  disconnectTitle: 'Druckkonto trennen',
  disconnectText:
    'Neue Bestellungen warten, bis Sie wieder einen Schlüssel eingeben. Platen verwendet den Schlüssel nur noch, um bereits gesendete Aufträge zu verfolgen.',
  disconnected: 'Das Druckkonto ist getrennt.',
  address: 'Adresse für Aktualisierungen',
  addressText:
    'Der Druckdienst sendet Status und Sendungsnummern an diese Adresse. Halten Sie sie geheim, denn wer sie kennt, kann solche Aktualisierungen senden.',
  addressMadeAt: (time) =>
    `Eine Adresse wurde am ${time} erstellt. Sie kann nicht noch einmal angezeigt werden. Haben Sie sie nicht mehr, erstellen Sie eine neue.`,
  newAddress: 'Neue Adresse, nur jetzt sichtbar',
  newAddressText:
    'Geben Sie sie in Ihrem Konto beim Druckdienst als Webhook-Adresse für alle Ereignisse von Aufträgen und Artikeln ein.',
  previousAddressText: 'Die vorherige Adresse gilt noch einen Tag.',
  createAddressText:
    'Nach dem Erstellen einer neuen Adresse gilt die jetzige noch einen Tag. Tragen Sie die neue bis dahin beim Druckdienst ein.',
  createAddress: 'Neue Adresse erstellen',
  addressMade: 'Die neue Adresse wurde erstellt. Kopieren Sie sie jetzt.',
  addressRegistered: 'Die neue Adresse wurde erstellt und beim Druckdienst eingetragen.',
  copy: 'Kopieren',
  sendTest: 'Testereignis senden',
  testArrived: 'Das Testereignis ist angekommen, die Adresse funktioniert.',
  testLost:
    'Das Testereignis wurde nicht angenommen. Verlangen Sie einen geheimen Header, wählen Sie für den Test „Aktualisierungen ohne Header annehmen“. Sonst muss der Betreiber von Platen die öffentliche Adresse prüfen.',
  copied: 'Die Adresse wurde kopiert.',
  notCopied: 'Die Adresse konnte nicht kopiert werden. Markieren und kopieren Sie sie selbst.',
  header: 'Geheimer Header',
  headerText:
    'Sendet der Druckdienst mit seinen Aktualisierungen einen geheimen Header, tragen Sie ihn hier ein. Platen lehnt dann Aktualisierungen ohne ihn ab.',
  hasHeader: (name) => `Aktualisierungen müssen den Header ${name} enthalten.`,
  headerName: 'Name des Headers',
  headerValue: 'Wert des Headers',
  saveHeader: 'Header speichern',
  removeHeaderText:
    'Wer die Adresse kennt, kann dann Aktualisierungen senden. Um den Header wieder zu verlangen, müssen Sie ihn erneut eingeben.',
  removeHeader: 'Aktualisierungen ohne Header annehmen',
  recipients: 'E-Mails und Übersicht',
  chat: 'Chat',
  chatText:
    'Legen Sie in Slack einen eingehenden Webhook an, oder in einem Chat, der dieselben Nachrichten versteht, etwa Mattermost. Halten Sie die Adresse geheim, denn wer sie kennt, kann in Ihren Chat schreiben.',
  noChat: 'Es ist noch kein Chat gespeichert.',
  hasChat: (last4) =>
    last4 === '' ? 'Ein Chat ist gespeichert.' : `Ein Chat, dessen Adresse auf ${last4} endet, ist gespeichert.`,
  chatLabel: 'Adresse des eingehenden Webhooks',
  saveChat: 'Chat speichern',
  chatSaved: 'Der Chat ist gespeichert.',
  removeChat: 'Chat entfernen',
  removeChatText:
    'Der Chat erhält dann keine Benachrichtigungen mehr. Um ihn wieder hinzuzufügen, müssen Sie seine Adresse erneut eingeben.',
  chatRemoved: 'Der Chat ist entfernt.',
  arrival: 'Kommen Benachrichtigungen an?',
  arrivalText: 'Senden Sie eine Testnachricht an die gespeicherten Empfänger.',
  noMail:
    'Diese Installation kann noch keine E-Mails senden. Der Betreiber von Platen muss zuerst einen Mailserver einrichten. Einen Chat können Sie auch so verwenden.',
  channels: { email: 'E-Mail', slack: 'Chat' },
  noAlertYet: 'Es wurde noch keine Benachrichtigung gesendet.',
  alertedAt: (time) => `Die letzte Benachrichtigung wurde gesendet: ${time}.`,
  failedAt: (time) => `Eine Nachricht konnte nicht gesendet werden: ${time}.`,
  sendTestMessage: 'Testnachricht senden',
  testSent: (channels) => `Die Testnachricht wurde gesendet: ${channels}.`,
  printOrders: 'Druckaufträge',
  preview: 'Vorschau',
  previewText:
    'Die Vorschau verwendet Ihre noch nicht gespeicherten Änderungen. Sie kostet nichts und druckt nichts. Die Beispielbestellung hat keine Produkt-Tags und keinen Versandcode.',
  previewNeedsLink:
    'Verknüpfen Sie zuerst ein Produkt. Die Vorschau zeigt dann, wie eine Bestellung dafür versendet würde.',
  previewProduct: 'Produkt',
  previewAdd: 'Produkt hinzufügen',
  previewCountry: 'Ländercode',
  previewProvince: 'Bundesstaat oder Provinz',
  previewPostCode: 'Postleitzahl',
  previewTitle: 'Versandoption im Checkout',
  previewValue: 'Warenwert',
  showPreview: 'Vorschau anzeigen',
  chosenBy: (rule) => `Gewählt durch: ${rule}`,
  passedOver: (rule, why) => `Nicht verwendet: ${rule} (${why}).`,
  noMethod: (why) => `Keine Versandart ist wählbar (${why}). Eine solche Bestellung wartet auf Ihre Entscheidung.`,
  method: 'Versandart',
  chosen: 'Gewählt',
  price: 'Preis',
  ratesOff: 'Checkouts zeigen diese Preise erst, wenn Sie die erste Einstellung einschalten und speichern.',
  ratesShown: 'Preise im Checkout',
  noRates: 'Der Checkout zeigt für diesen Warenkorb keine Preise.',
  fallbackShown: 'Wenn der Druckdienst nicht rechtzeitig antwortet',
  noFallback: 'Der Checkout zeigt keine Preise, weil kein Ersatzpreis gilt.',
  undone: 'Änderungen, die Platen rückgängig macht',
  nothingToUndo: 'Platen hat in Ihrem Shop keine Änderungen vorgenommen, die rückgängig zu machen sind.',
  undo: {
    held: (orders) => `${count(orders, 'angehaltene Bestellung', 'angehaltene Bestellungen')} im Shop`,
    tagged: (orders) => `Tags von ${count(orders, 'Bestellung', 'Bestellungen')}`,
    orderMetafields: (orders) => `Metafelder von ${count(orders, 'Bestellung', 'Bestellungen')}`,
    carrierServices: () => 'Versandpreise im Checkout',
    stocked: (variants) => `${count(variants, 'Variante', 'Varianten')} an Platens Standort`,
    hidden: (variants) => `${count(variants, 'unverkäuflich gemachte Variante', 'unverkäuflich gemachte Varianten')}`,
    metafields: (fields) => `${count(fields, 'Metafeld', 'Metafelder')} mit Verbindungsstatus`,
    unsent: (orders) => `${count(orders, 'noch nicht gesendeter Druckauftrag', 'noch nicht gesendete Druckaufträge')}`,
  },
  undoScopes: (scopes) => `Einige Änderungen lassen sich ohne diese Berechtigungen nicht rückgängig machen: ${scopes}.`,
  live: (orders) =>
    `${count(orders, 'Druckauftrag ist', 'Druckaufträge sind')} beim Druckdienst in Arbeit. Für Pakete, die nach dem Beenden versendet werden, erhält Ihr Shop keine Sendungsnummer.`,
  leave: 'Platen beenden',
  leaveTitle: 'Platen für diesen Shop beenden',
  leaveText:
    'Platen druckt keine Bestellungen mehr, schließt nicht gesendete Druckaufträge und macht diese Änderungen im Hintergrund rückgängig. Sie können Platen jederzeit wieder verwenden.',
  left: 'Platen ist für diesen Shop beendet',
  leftText:
    'Platen macht seine Änderungen rückgängig. Das kann einige Minuten dauern. Öffnen Sie Platen erneut, um zu sehen, wann das erledigt ist und Sie die App entfernen können.',
};
