import type { MessageCatalog } from '../create-translator.ts';

/** Errors that any request can return. */
export const requests: MessageCatalog = {
  'There is nothing here.': 'Hier gibt es nichts.',
  'Platen prints no items in these orders.': 'Platen druckt nichts aus diesen Bestellungen.',
  'This link to packing slips is not valid. Print them again from your orders.':
    'Dieser Link zu Lieferscheinen ist ungültig. Drucken Sie sie erneut in Ihren Bestellungen.',
  'This link to packing slips has expired. Print them again from your orders.':
    'Dieser Link zu Lieferscheinen ist abgelaufen. Drucken Sie sie erneut in Ihren Bestellungen.',
  'Something went wrong.': 'Etwas ist schiefgegangen.',
  'The operation took too long.': 'Die Bearbeitung hat zu lange gedauert.',
  'Too many requests. Try again later.': 'Zu viele Anfragen. Versuchen Sie es später erneut.',
  'Too much data is being sent right now. Send the request again.':
    'Im Moment werden zu viele Daten gesendet. Senden Sie die Anfrage erneut.',
  'The body is larger than {number} bytes.': 'Der Inhalt ist größer als {number} Bytes.',
  'The body ended before it was complete.': 'Der Inhalt endete, bevor er vollständig war.',
  'The body is nested deeper than {number} levels.': 'Der Inhalt ist tiefer als {number} Ebenen verschachtelt.',
  'The body has more than {number} values.': 'Der Inhalt hat mehr als {number} Werte.',
  'The body must be a JSON object.': 'Der Inhalt muss ein JSON-Objekt sein.',
  'The session token is missing or not valid. Open Platen again.':
    'Das Sitzungstoken fehlt oder ist ungültig. Öffnen Sie Platen erneut.',
  'Platen is not set up for this store yet. Open Platen once in the store’s admin.':
    'Platen ist für diesen Shop noch nicht eingerichtet. Öffnen Sie Platen einmal im Adminbereich des Shops.',
  'Platen cannot read its data. Platen’s operator can find the reason at /readyz and in the log.':
    'Platen kann seine Daten nicht lesen. Der Betreiber von Platen findet den Grund unter /readyz und im Protokoll.',
  'Platen was stopped for this store. Open it in the admin, and choose "Use Platen again".':
    'Platen wurde für diesen Shop beendet. Öffnen Sie Platen im Adminbereich, und wählen Sie „Platen wieder verwenden“.',
  'The store is currently unavailable.': 'Der Shop ist im Moment nicht erreichbar.',
  'Nothing was lost. Please try again in a moment.':
    'Es ist nichts verloren gegangen. Versuchen Sie es gleich noch einmal.',
  'Shopify rejects this server’s IP address.': 'Shopify lehnt die IP-Adresse dieses Servers ab.',
  'This message is for Platen’s operator, not for the store: add this server’s outgoing IP address to the app’s IP allowlist.':
    'Diese Meldung richtet sich an den Betreiber von Platen, nicht an den Shop: Tragen Sie die ausgehende IP-Adresse dieses Servers in die IP-Liste der App ein.',
  'Then open Platen again.': 'Öffnen Sie Platen dann erneut.',
  'Orders wait and resume automatically.': 'Bestellungen warten und laufen automatisch weiter.',
  'Shopify does not know this app.': 'Shopify kennt diese App nicht.',
  'This message is for Platen’s operator, not for the store: SHOPIFY_API_KEY and SHOPIFY_API_SECRET do not match the app in the Dev Dashboard.':
    'Diese Meldung richtet sich an den Betreiber von Platen, nicht an den Shop: SHOPIFY_API_KEY und SHOPIFY_API_SECRET passen nicht zur App im Dev Dashboard.',
  'Shopify rejected Platen’s request to the store.': 'Shopify lehnt Platens Anfrage an den Shop ab.',
  'Retrying will not help. Contact Platen’s operator: the log shows the rejected request.':
    'Ein neuer Versuch hilft nicht. Wenden Sie sich an den Betreiber von Platen: Das Protokoll zeigt die abgelehnte Anfrage.',
  'The store is frozen because its bill is unpaid.': 'Der Shop ist wegen einer unbezahlten Rechnung eingefroren.',
  'Pay the bill in the store’s admin, then try again.':
    'Bezahlen Sie die Rechnung im Adminbereich des Shops, und versuchen Sie es dann erneut.',
  'Shopify has locked the store.': 'Shopify hat den Shop gesperrt.',
  'Ask Shopify Support to unlock it, then try again.':
    'Bitten Sie den Shopify Support, ihn zu entsperren, und versuchen Sie es dann erneut.',
  'Shopify does not know this store.': 'Shopify kennt diesen Shop nicht.',
  'The store may be closed. If it is open, contact Platen’s operator.':
    'Vielleicht ist der Shop geschlossen. Ist er offen, wenden Sie sich an den Betreiber von Platen.',
  'Platen lacks a permission in the store.': 'Platen fehlt im Shop eine Berechtigung.',
  'Open Platen once in the store’s admin and grant the permissions that it requests.':
    'Öffnen Sie Platen einmal im Adminbereich des Shops, und erteilen Sie die angefragten Berechtigungen.',
  'If that does not help, contact Platen’s operator: Shopify must approve the app for customer data.':
    'Hilft das nicht, wenden Sie sich an den Betreiber von Platen: Shopify muss die App für Kundendaten freigeben.',
  "Another database of Platen has taken over {domain}, so this one sends nothing. Platen's operator must stop one of the two.":
    'Eine andere Datenbank von Platen hat {domain} übernommen, daher sendet diese nichts. Der Betreiber von Platen muss eine der beiden stoppen.',
  "The store {domain} no longer accepts Platen's tokens. Open Platen in the store's admin.":
    'Der Shop {domain} akzeptiert Platens Tokens nicht mehr. Öffnen Sie Platen im Adminbereich des Shops.',
  "Shopify responds with 403 because of the app's configuration. Check that this server's address is on the app's IP allowlist.":
    'Shopify antwortet wegen der Konfiguration der App mit 403. Prüfen Sie, ob die Adresse dieses Servers auf der IP-Liste der App steht.',
  'Shopify does not recognize the app: SHOPIFY_API_KEY or SHOPIFY_API_SECRET is wrong.':
    'Shopify erkennt die App nicht: SHOPIFY_API_KEY oder SHOPIFY_API_SECRET ist falsch.',
};
