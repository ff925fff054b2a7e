import type { MessageCatalog } from '../create-translator.ts';

/** Print links: their checks, their import and their metafields. */
export const links: MessageCatalog = {
  'Open the address in a browser. If it opens there, check the link again later.':
    'Öffnen Sie die Adresse in einem Browser. Öffnet sie sich dort, prüfen Sie die Verknüpfung später erneut.',
  'The address redirects to another address instead of returning the file.':
    'Die Adresse leitet auf eine andere weiter, statt die Datei zu liefern.',
  "Open the address in a browser, and use the file's final address.":
    'Öffnen Sie die Adresse in einem Browser, und verwenden Sie die endgültige Adresse der Datei.',
  "The print file's server has no valid certificate for its name.":
    'Der Server der Druckdatei hat kein gültiges Zertifikat für seinen Namen.',
  "Renew the server's certificate, or put the file on another server.":
    'Erneuern Sie das Zertifikat des Servers, oder legen Sie die Datei auf einen anderen Server.',
  'The print file is larger than 100 MB.': 'Die Druckdatei ist größer als 100 MB.',
  'Export a smaller version of the file, up to 100 MB.':
    'Exportieren Sie eine kleinere Version der Datei, höchstens 100 MB.',
  "The print file's server did not send the file in time.":
    'Der Server der Druckdatei hat die Datei nicht rechtzeitig gesendet.',
  "The print file's server does not respond.": 'Der Server der Druckdatei antwortet nicht.',
  'The print file cannot be read as a PDF.': 'Die Druckdatei lässt sich nicht als PDF lesen.',
  'Export the file again, and upload the new version.':
    'Exportieren Sie die Datei erneut, und laden Sie die neue Version hoch.',
  'The print file opens only with a password.': 'Die Druckdatei öffnet sich nur mit einem Passwort.',
  'Export the file without a password, and upload the new version.':
    'Exportieren Sie die Datei ohne Passwort, und laden Sie die neue Version hoch.',
  "The print file's pages could not be counted: reading the file as a PDF takes too much time or memory.":
    'Die Seiten der Druckdatei ließen sich nicht zählen: Das Lesen als PDF braucht zu viel Zeit oder Speicher.',
  'Export the file again as a plain PDF, and upload the new version.':
    'Exportieren Sie die Datei erneut als einfaches PDF, und laden Sie die neue Version hoch.',
  'According to the link, the product has {number} pages, but the PDF has {counted}.':
    'Laut Verknüpfung hat das Produkt {number} Seiten, das PDF aber {counted}.',
  'Correct the PDF or the page count, which includes the cover.':
    'Korrigieren Sie das PDF oder die Seitenzahl. Der Umschlag zählt mit.',
  'The print file is not publicly accessible (status {status}).':
    'Die Druckdatei ist nicht öffentlich zugänglich (Status {status}).',
  'Share the file so that its address opens without signing in.':
    'Geben Sie die Datei so frei, dass sich ihre Adresse ohne Anmeldung öffnet.',
  'There is no file at this address (status {status}).': 'Unter dieser Adresse liegt keine Datei (Status {status}).',
  'Upload the file again, or correct the address.':
    'Laden Sie die Datei erneut hoch, oder korrigieren Sie die Adresse.',
  "The print file's server returned the error {status}.": 'Der Server der Druckdatei meldet den Fehler {status}.',
  'The print file is empty.': 'Die Druckdatei ist leer.',
  'Upload the file again.': 'Laden Sie die Datei erneut hoch.',
  'This address opens a web page, not the file itself.':
    'Diese Adresse öffnet eine Webseite und nicht die Datei selbst.',
  "Use the file's own address, such as a direct download link.":
    'Verwenden Sie die eigene Adresse der Datei, etwa einen direkten Download-Link.',
  'The print file is not a PDF, PNG or JPEG file, regardless of its name.':
    'Die Druckdatei ist unabhängig von ihrem Namen keine PDF-, PNG- oder JPEG-Datei.',
  'Export the file as a PDF, PNG or JPEG file.': 'Exportieren Sie die Datei als PDF, PNG oder JPEG.',
  'According to the link, the product has {number} pages, but the print file is an image, which has one page.':
    'Laut Verknüpfung hat das Produkt {number} Seiten, die Druckdatei ist aber ein Bild mit einer Seite.',
  'Use a PDF with all pages, or remove the page count.':
    'Verwenden Sie ein PDF mit allen Seiten, oder entfernen Sie die Seitenzahl.',
  'The product could not be checked: {why:text}.': 'Das Produkt konnte nicht geprüft werden: {why:text}.',
  'the print service does not respond': 'der Druckdienst antwortet nicht',
  'the print service refuses payments from your account': 'der Druckdienst lehnt Zahlungen von Ihrem Konto ab',
  'the print service received too many requests': 'der Druckdienst hat zu viele Anfragen erhalten',
  'the print service responds with the error {status}': 'der Druckdienst meldet den Fehler {status}',
  'the print service responds with error {status}': 'der Druckdienst meldet den Fehler {status}',
  'the store has no country in its address': 'die Adresse des Shops enthält kein Land',
  'Check the link again later.': 'Prüfen Sie die Verknüpfung später erneut.',
  'The print service does not deliver to {country:text}.':
    'Der Druckdienst liefert nicht in dieses Land: {country:text}.',
  'If the shop sells only to other countries, no action is needed.':
    'Verkauft der Shop nur in andere Länder, ist nichts zu tun.',
  'The print service has no prices in {currency}.': 'Der Druckdienst hat keine Preise in {currency}.',
  'Choose another currency in the settings.': 'Wählen Sie in den Einstellungen eine andere Währung.',
  'The print service refuses the product with the values in this link.':
    'Der Druckdienst lehnt das Produkt mit den Werten dieser Verknüpfung ab.',
  'Correct the link, or ask the print service what is wrong.':
    'Korrigieren Sie die Verknüpfung, oder fragen Sie den Druckdienst nach dem Fehler.',
  'This product is not available to your account at the print service.':
    'Dieses Produkt ist für Ihr Konto beim Druckdienst nicht verfügbar.',
  'Choose an available product, or ask the print service to enable this product.':
    'Wählen Sie ein verfügbares Produkt, oder bitten Sie den Druckdienst, es freizuschalten.',
  "The print service does not accept the shop's API key.":
    'Der Druckdienst akzeptiert den API-Schlüssel des Shops nicht.',
  'Copy the key again from your account at the print service into the settings.':
    'Kopieren Sie den Schlüssel aus Ihrem Konto beim Druckdienst erneut in die Einstellungen.',
  'The print service has no envelope with the UID {uid}.':
    'Der Druckdienst hat keinen Briefumschlag mit der UID {uid}.',
  "Copy the envelope's UID from the print service's catalog.":
    'Kopieren Sie die UID des Briefumschlags aus dem Katalog des Druckdienstes.',
  'The print service has no product with the UID {uid}.': 'Der Druckdienst hat kein Produkt mit der UID {uid}.',
  "Copy the product's exact UID from the print service's catalog.":
    'Kopieren Sie die genaue UID des Produkts aus dem Katalog des Druckdienstes.',
  "The print service does not deliver this product to {country:text}, the shop's country.":
    'Der Druckdienst liefert dieses Produkt nicht in das Land des Shops: {country:text}.',
  'Choose a product that is delivered there, or sell this product only to other countries.':
    'Wählen Sie ein Produkt, das dorthin geliefert wird, oder verkaufen Sie es nur in andere Länder.',
  "Enter the store's address in its settings.": 'Tragen Sie die Adresse des Shops in seinen Einstellungen ein.',
  'This is not the address of a file.': 'Das ist keine Adresse einer Datei.',
  'Enter the full address, such as https://files.example.com/mug.pdf.':
    'Geben Sie die ganze Adresse ein, etwa https://files.example.com/mug.pdf.',
  "The print file's address does not begin with https://.": 'Die Adresse der Druckdatei beginnt nicht mit https://.',
  'Put the file on a server that has an https address.':
    'Legen Sie die Datei auf einen Server mit einer https-Adresse.',
  "The print file's address contains a user name or password.":
    'Die Adresse der Druckdatei enthält einen Benutzernamen oder ein Passwort.',
  'Use an address that opens without signing in.': 'Verwenden Sie eine Adresse, die sich ohne Anmeldung öffnet.',
  "The print file's address contains a port.": 'Die Adresse der Druckdatei enthält einen Port.',
  'Use an address without a port (the number after the server name).':
    'Verwenden Sie eine Adresse ohne Port (die Zahl nach dem Namen des Servers).',
  'This address does not name a public server.': 'Kein Server im Internet hat den Namen in dieser Adresse.',
  "Put the file on a server that is reachable from the internet, and use the file's address there.":
    'Legen Sie die Datei auf einen Server, der aus dem Internet erreichbar ist, und verwenden Sie die Adresse dort.',
  'Platen reads the metafields again when you save them.':
    'Platen liest die Metafelder erneut, wenn Sie sie speichern.',
  "Fill in {name}, or clear the print link's other metafields.":
    'Füllen Sie {name} aus, oder leeren Sie die anderen Metafelder der Druckverknüpfung.',
  '{name} is empty, so there is no product to print.': '{name} ist leer. Daher gibt es kein Produkt zu drucken.',
  "Define {name} with the type URL, and enter the file's address.":
    'Definieren Sie {name} mit dem Typ URL, und tragen Sie die Adresse der Datei ein.',
  '{name} refers to a file in the store and is not an address.':
    '{name} verweist auf eine Datei im Shop und ist keine Adresse.',
  "Correct the variant's {name}.": 'Korrigieren Sie {name} der Variante.',
  'The variant has a print link that was set in Platen or by a file, which takes precedence.':
    'Die Variante hat eine Druckverknüpfung, die in Platen oder mit einer Datei angelegt wurde. Diese hat Vorrang.',
  'To use the metafields, delete that print link. Otherwise, clear the metafields.':
    'Sollen die Metafelder gelten, löschen Sie diese Druckverknüpfung. Sonst leeren Sie die Metafelder.',
  'There is no print link for {target:text}.': 'Es gibt keine Druckverknüpfung für {target:text}.',
  'variant {id:field}': 'Variante {id:field}',
  'This line has more than {number} cells': 'diese Zeile hat mehr als {number} Zellen',
  "Text follows a cell's closing quote. Inside a cell, write each quote twice":
    'nach dem schließenden Anführungszeichen einer Zelle folgt Text. Schreiben Sie Anführungszeichen in einer Zelle doppelt',
  'The file has more than {number} lines. Split the file':
    'die Datei hat mehr als {number} Zeilen. Teilen Sie die Datei',
  'The file has more than {number} blank lines. Remove them':
    'die Datei hat mehr als {number} leere Zeilen. Entfernen Sie sie',
  "A cell's closing quote is missing": 'das schließende Anführungszeichen einer Zelle fehlt',
  "Nothing could be looked up. Open Platen once in the store's admin.":
    'Es konnte nichts nachgeschlagen werden. Öffnen Sie Platen einmal im Adminbereich des Shops.',
  'The last {number} variants were not looked up in the store.':
    'Die letzten {number} Varianten wurden nicht im Shop nachgeschlagen.',
  'Variants could not be looked up in the store. {words:words}':
    'Varianten konnten im Shop nicht nachgeschlagen werden. {words:words}',
  "The store has no {target:text}. The ID is the number at the end of the variant's address in the store's admin.":
    'Im Shop fehlt: {target:text}. Die ID ist die Zahl am Ende der Adresse der Variante im Adminbereich des Shops.',
  'Products could not be looked up: the shop has no API key for the print service yet.':
    'Produkte konnten nicht nachgeschlagen werden: Der Shop hat noch keinen API-Schlüssel für den Druckdienst.',
  "Products could not be looked up: the store's address has no country.":
    'Produkte konnten nicht nachgeschlagen werden: Die Adresse des Shops enthält kein Land.',
  'The last {number} products were not looked up at the print service.':
    'Die letzten {number} Produkte wurden nicht beim Druckdienst nachgeschlagen.',
  'There are {number} more errors from this row on. Correct the errors above first.':
    'Ab dieser Zeile gibt es {number} weitere Fehler. Korrigieren Sie zuerst die Fehler darüber.',
  "must be the print file's address": 'muss die Adresse der Druckdatei sein',
  "must be a product UID from the print service's catalog: letters, digits and - _ . ~ without spaces, at most {number} characters":
    'muss eine Produkt-UID aus dem Katalog des Druckdienstes sein: Buchstaben, Ziffern und - _ . ~ ohne Leerzeichen, höchstens {number} Zeichen',
  'must be a whole number from 1 to {number} that counts all pages, including both sides of the covers. Leave the field empty for a product without pages':
    'muss eine ganze Zahl von 1 bis {number} sein, die alle Seiten zählt, auch beide Seiten der Umschläge. Lassen Sie das Feld bei einem Produkt ohne Seiten leer',
  "must be the print file's full address, such as https://files.example/mug.pdf":
    'muss die ganze Adresse der Druckdatei sein, etwa https://files.example/mug.pdf',
  'must begin with https://, so that nobody can replace the file in transit':
    'muss mit https:// beginnen, damit niemand die Datei unterwegs austauschen kann',
  'must not contain a user name or password': 'darf keinen Benutzernamen und kein Passwort enthalten',
  'must not contain a port (the number after the server name)':
    'darf keinen Port enthalten (die Zahl nach dem Namen des Servers)',
  'must have a public server name, not an IP address or localhost':
    'muss einen öffentlichen Servernamen haben, keine IP-Adresse und nicht localhost',
  'must be a SKU exactly as in the store: one line, at most {number} characters':
    'muss eine SKU genau wie im Shop sein: eine Zeile, höchstens {number} Zeichen',
  'is missing: enter a variant or a SKU': 'fehlt: Geben Sie eine Variante oder eine SKU an',
  'is missing: an envelope needs its product UID and the number of envelopes per piece':
    'fehlt: Ein Briefumschlag braucht seine Produkt-UID und die Anzahl je Stück',
  'is not a print link': 'ist keine Druckverknüpfung',
  'is not a field of a print link. The fields are {fields}':
    'ist kein Feld einer Druckverknüpfung. Die Felder sind {fields}',
  'was shortened by a spreadsheet: format the column as text, and enter the ID again':
    'wurde von einer Tabellenkalkulation gekürzt: Formatieren Sie die Spalte als Text, und geben Sie die ID erneut ein',
  "must be a variant ID: the number at the end of the variant's address in the store's admin, or {prefix} and that number":
    'muss die ID einer Variante sein: die Zahl am Ende der Adresse der Variante im Adminbereich des Shops, oder {prefix} und diese Zahl',
  'must not contain spaces. Write each space as %20': 'darf keine Leerzeichen enthalten. Schreiben Sie jedes als %20',
  'The file contains no print links.': 'Die Datei enthält keine Druckverknüpfungen.',
  'The file is not a CSV file in UTF-8. In your spreadsheet, save it as "CSV UTF-8".':
    'Die Datei ist keine CSV-Datei in UTF-8. Speichern Sie sie in Ihrer Tabellenkalkulation als „CSV UTF-8“.',
  'This column appears twice. Remove one of them.': 'Diese Spalte kommt zweimal vor. Entfernen Sie eine davon.',
  'The columns of print links are {columns}.': 'Die Spalten von Druckverknüpfungen sind {columns}.',
  'A column variant_id or sku is required.': 'Eine Spalte variant_id oder sku ist nötig.',
  'A column product_uid is required.': 'Eine Spalte product_uid ist nötig.',
  'The columns envelope_product_uid and envelopes_per_piece are only allowed together.':
    'Die Spalten envelope_product_uid und envelopes_per_piece sind nur zusammen erlaubt.',
  'This row has more cells than there are headings.': 'Diese Zeile hat mehr Zellen, als es Überschriften gibt.',
  'Row {number} has the same variant or SKU. Remove one of the two rows.':
    'Zeile {number} hat dieselbe Variante oder SKU. Entfernen Sie eine der beiden Zeilen.',
  'The file contains errors, so nothing was saved. Fix the errors and import the file again.':
    'Die Datei enthält Fehler, daher wurde nichts gespeichert. Korrigieren Sie die Fehler, und importieren Sie die Datei erneut.',
  'Your store does not have this variant, so nobody can order it.':
    'Ihr Shop hat diese Variante nicht. Daher kann sie niemand bestellen.',
  'Check the ID. If another variant has replaced this one, link that variant instead. Then delete this link.':
    'Prüfen Sie die ID. Wurde sie durch eine andere Variante ersetzt, verknüpfen Sie stattdessen die andere. Löschen Sie dann diese Verknüpfung.',
};
