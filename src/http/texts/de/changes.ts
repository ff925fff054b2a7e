import type { Catalogue } from '../open-catalogue.ts';

/** The merchant's changes of an order: its address and its shipping method. */
export const changes: Catalogue = {
  "The shipping method of {name} is chosen by the shop's rules again.":
    'Die Versandart von {name} bestimmen wieder die Regeln des Shops.',
  'The shipping method of {name} is {costs}, chosen by the merchant.':
    'Die Versandart von {name} ist {costs}, vom Händler gewählt.',
  '{method} for {price}, chosen by the merchant.': '{method} für {price}, vom Händler gewählt.',
  'chosen by the merchant': 'vom Händler gewählt',
  'The print service does not offer {method} for {of:text} now.':
    'Der Druckdienst bietet {method} derzeit nicht für {of:text} an.',
  'the print service does not offer {method} for {of:text} now':
    'Der Druckdienst bietet {method} derzeit nicht für {of:text} an',
  'this order': 'diese Bestellung',
  'part {number} of this order': 'Teil {number} dieser Bestellung',
  'It offers: {methods}.': 'Er bietet an: {methods}.',
  'must be the UID of a shipping method, a list of one for each part, or null for the rules':
    'muss die UID einer Versandart, eine Liste mit einer für jeden Teil oder null für die Regeln sein',
  'The address of {name} was changed in your store.': 'Die Adresse von {name} wurde in Ihrem Shop geändert.',
  'Platen continues with this order.': 'Platen macht mit dieser Bestellung weiter.',
  'The shipping address was changed in Platen by the merchant.':
    'Der Händler hat die Lieferadresse in Platen geändert.',
  'The store hides parts of this address from Platen.': 'Der Shop verbirgt Teile dieser Adresse vor Platen.',
  'Change the address in your store.': 'Ändern Sie die Adresse in Ihrem Shop.',
  'The store no longer has the order {name}.': 'Der Shop hat die Bestellung {name} nicht mehr.',
  'There is nothing of {name} left to print for which a shipping method could be chosen.':
    'Von {name} ist nichts mehr zu drucken, wofür eine Versandart gewählt werden könnte.',
  '{name} cannot be quoted yet.': 'Für {name} ist noch kein Angebot möglich.',
  'The printing of {name} was canceled.': 'Der Druck von {name} wurde storniert.',
  'To print it, choose "approve" first.': 'Wählen Sie zuerst „Freigeben“, damit sie gedruckt wird.',
  '{name} was already sent to print, and its address at the print service can no longer change.':
    '{name} wurde bereits in den Druck gegeben, und die Adresse lässt sich beim Druckdienst nicht mehr ändern.',
  'Until it is printed, you can choose "cancel", then "approve", to print it with another address.':
    'Solange sie nicht gedruckt ist, können Sie „Stornieren“ und dann „Freigeben“ wählen, um sie mit einer anderen Adresse zu drucken.',
  '{name} was already sent to print, so its shipping method can no longer change.':
    '{name} wurde bereits in den Druck gegeben, daher lässt sich die Versandart nicht mehr ändern.',
  'Until it is printed, you can choose "cancel", then choose the shipping method, then choose "approve".':
    'Solange sie nicht gedruckt ist, können Sie „Stornieren“ wählen, dann die Versandart und dann „Freigeben“.',
  '{reference} is being replaced after a change.': '{reference} wird nach einer Änderung ersetzt.',
  'Try again in a moment.': 'Versuchen Sie es gleich noch einmal.',
  '{reference} already exists at the print service with its shipping method, which cannot change there.':
    '{reference} besteht beim Druckdienst bereits mit seiner Versandart, die sich dort nicht ändern lässt.',
  'Choose "cancel", then choose the shipping method, then choose "approve" to print the order with it.':
    'Wählen Sie „Stornieren“, dann die Versandart und dann „Freigeben“, um die Bestellung damit zu drucken.',
  'Fulfillment was requested in the store.': 'Im Shop wurde die Ausführung angefordert.',
  'Platen answers once the order may be printed.': 'Platen antwortet, sobald die Bestellung gedruckt werden darf.',
  'The shipping method {name}, which was chosen for this order by hand, is not possible now: {why:text}.':
    'Die Versandart {name}, die von Hand für diese Bestellung gewählt wurde, ist derzeit nicht möglich: {why:text}.',
  "Choose another shipping method for this order, or have the shop's rules choose it.":
    'Wählen Sie für diese Bestellung eine andere Versandart, oder überlassen Sie die Wahl den Regeln des Shops.',
  'The store has not granted Platen the permission {scope}, without which Platen cannot change the address.':
    'Der Shop hat Platen die Berechtigung {scope} nicht erteilt, ohne die Platen die Adresse nicht ändern kann.',
  'Grant it, or change the address in your store.': 'Erteilen Sie sie, oder ändern Sie die Adresse in Ihrem Shop.',
  'The shop has no such product at the print service.': 'Der Shop hat kein solches Produkt beim Druckdienst.',
  'must be 1 to {number} IDs of variants, separated by commas':
    'muss aus 1 bis {number} IDs von Varianten bestehen, durch Kommas getrennt',
};
