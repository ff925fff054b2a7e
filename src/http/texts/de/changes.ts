import type { MessageCatalog } from '../create-translator.ts';

/** The changes that a merchant can make on an order's page: to its address and its shipping method. */
export const changes: MessageCatalog = {
  "The shop's rules choose the shipping method of {name} again.":
    'Die Versandart von {name} wird wieder nach den Regeln des Shops gewählt.',
  'The shipping method of {name} is {methods:list}, chosen by the merchant.':
    'Die Versandart von {name} ist {methods:list}, gewählt vom Händler.',
  '{method:words} for {price:money}': '{method:words} für {price:money}',
  '{method:words} for {price:money}, chosen by the merchant.': '{method:words} für {price:money}, gewählt vom Händler.',
  'chosen by the merchant': 'gewählt vom Händler',
  'another shipping method was chosen': 'eine andere Versandart wurde gewählt',
  'the print service does not offer {method:words} for {order:text} now. It offers: {offered}':
    'der Druckdienst bietet {method:words} zurzeit nicht an ({order:text}). Er bietet an: {offered}',
  'this order': 'diese Bestellung',
  'part {number} of this order': 'Teil {number} dieser Bestellung',
  'must be the UID of a shipping method, a list with one UID for each part, or null for the rules':
    'muss die UID einer Versandart sein, eine Liste mit einer für jeden Teil, oder null für die Regeln',
  'The merchant changed the shipping address in Platen.': 'Der Händler hat die Lieferadresse in Platen geändert.',
  'The address of {name} was changed in your store. Platen is checking the order again.':
    'Die Adresse von {name} wurde in Ihrem Shop geändert. Platen prüft die Bestellung erneut.',
  'The store no longer has the order {name}.': 'Der Shop hat die Bestellung {name} nicht mehr.',
  'The store hides parts of this address from Platen. Change the address in your store.':
    'Der Shop zeigt Platen nur einen Teil dieser Adresse. Ändern Sie die Adresse in Ihrem Shop.',
  '{name} cannot be quoted yet.': 'Für {name} kann noch kein Angebot eingeholt werden.',
  'There is nothing to print for {name}.': 'Für {name} gibt es nichts zu drucken.',
  'No part of {name} is left to print, so no shipping method can be chosen.':
    'Von {name} ist nichts mehr zu drucken, daher kann keine Versandart gewählt werden.',
  'The printing of {name} was canceled. To print it, choose "Approve" first.':
    'Der Druck von {name} wurde storniert. Wählen Sie zuerst „Freigeben“, um zu drucken.',
  '{name} was already sent to print, and its address at the print service can no longer change. Until it is printed, you can choose "Cancel printing", then "Approve", to print it with another address.':
    '{name} ging bereits in den Druck, und die Adresse beim Druckdienst kann nicht mehr geändert werden. Bis gedruckt wird, können Sie „Druck stornieren“ und dann „Freigeben“ wählen, um mit einer anderen Adresse zu drucken.',
  '{reference} is being replaced after a change. Try again in a moment.':
    '{reference} wird nach einer Änderung ersetzt. Versuchen Sie es gleich noch einmal.',
  '{reference} already exists at the print service with its shipping method, which cannot change there. Choose "Cancel printing", then choose the shipping method, then choose "Approve" to print the order with it.':
    '{reference} liegt mit seiner Versandart bereits beim Druckdienst, und sie lässt sich dort nicht ändern. Wählen Sie „Druck stornieren“, dann die Versandart und dann „Freigeben“, um die Bestellung damit zu drucken.',
  '{name} was already sent to print, so its shipping method can no longer change. Until it is printed, you can choose "Cancel printing", then choose the shipping method, then choose "Approve".':
    '{name} ging bereits in den Druck, daher kann die Versandart nicht mehr geändert werden. Bis gedruckt wird, können Sie „Druck stornieren“, dann die Versandart und dann „Freigeben“ wählen.',
  'Cancellation of the fulfillment was requested in the store.':
    'Im Shop wurde die Stornierung der Ausführung angefordert.',
  'Fulfillment was requested in the store. Platen answers once the order may be printed.':
    'Die Ausführung wurde im Shop angefordert. Platen antwortet, sobald die Bestellung gedruckt werden darf.',
  'The shipping method {method:words}, which was chosen for this order by hand, is not possible now: {lack:text}.':
    'Die Versandart {method:words}, die für diese Bestellung von Hand gewählt wurde, ist zurzeit nicht möglich: {lack:text}.',
  'Choose another method with "Change the shipping method".':
    'Wählen Sie unter „Versandart ändern“ eine andere Versandart.',
  'The store has not granted Platen the permission {scope}, without which Platen cannot change the address. Grant it, or change the address in your store.':
    'Der Shop hat Platen die Berechtigung {scope} nicht erteilt, ohne die Platen die Adresse nicht ändern kann. Erteilen Sie sie, oder ändern Sie die Adresse in Ihrem Shop.',
  'The shop has no such product at the print service.': 'Der Shop hat beim Druckdienst kein solches Produkt.',
  'The store does not have this product.': 'Der Shop hat dieses Produkt nicht.',
  'The store does not have this variant.': 'Der Shop hat diese Variante nicht.',
};
