import type { MessageCatalog } from '../create-translator.ts';

/** Products: location, stock, connections, templates, the catalog and the rates at checkout. */
export const products: MessageCatalog = {
  'The variant is out of stock, but it stays sellable, because the print service delivers it from its hub until it is restocked: {places:words}.':
    'Die Variante ist zurzeit nicht vorrätig. Sie bleibt verkäuflich, weil der Druckdienst sie bis zum Nachschub aus seinem Zentrallager liefert: {places:words}.',
  'its stock in the other regions that you ship to is not known':
    'der Bestand in den anderen Regionen, in die Sie liefern, ist unbekannt',
  'its stock in other regions is not known. Name the regions that you ship to in the settings':
    'der Bestand in anderen Regionen ist unbekannt. Nennen Sie in den Einstellungen die Regionen, in die Sie liefern',
  'The variant cannot be delivered to {places:words}, but it stays sellable: {why:text}.':
    'Die Variante ist nach {places:words} nicht lieferbar, bleibt aber verkäuflich: {why:text}.',
  "The variant cannot be delivered, but it stays sellable: Platen only changes variants that are stocked at Platen's location.":
    'Die Variante ist nicht lieferbar, bleibt aber verkäuflich: Platen ändert nur Varianten, die an Platens Standort geführt werden.',
  'The variant cannot be delivered, but it stays sellable: your store already tracks its stock.':
    'Die Variante ist nicht lieferbar, bleibt aber verkäuflich: Ihr Shop verfolgt ihren Bestand bereits.',
  'The print service cannot deliver the variant, but it stays sellable: another location has it in stock.':
    'Der Druckdienst kann die Variante nicht liefern, sie bleibt aber verkäuflich: Ein anderer Standort hat Bestand.',
  'Platen made the variant unsellable, but someone has since changed this in the store. Platen leaves the variant as it is now.':
    'Platen hat die Variante unverkäuflich gemacht, im Shop hat das inzwischen jemand geändert. Platen lässt die Variante, wie sie jetzt ist.',
  'After Platen made the variant unsellable, stock was entered at another location, so the stock is still tracked. To sell the variant without tracking, switch off "Track quantity" in the store.':
    'Nachdem Platen die Variante unverkäuflich gemacht hat, wurde an einem anderen Standort Bestand eingetragen. Daher wird der Bestand weiter verfolgt. Schalten Sie im Shop „Menge verfolgen“ aus, um sie ohne Verfolgung zu verkaufen.',
  'Platen made the variant unsellable and cannot restore it, because the store no longer lets Platen edit products.':
    'Platen hat die Variante unverkäuflich gemacht und kann sie nicht wiederherstellen, weil Platen die Produkte des Shops nicht mehr bearbeiten darf.',
  'The variant cannot be delivered to any region that the shop ships to.':
    'Die Variante ist in keine Region lieferbar, in die der Shop liefert.',
  "Someone removed the variant from Platen's location in the store, so Platen leaves it unstocked. To stock it there again, apply the location plan again.":
    'Jemand hat die Variante im Shop von Platens Standort entfernt. Daher führt Platen sie dort nicht. Soll sie dort wieder geführt werden, wenden Sie den Standortplan erneut an.',
  "The variant's delivery profile has no shipping rates for Platen's location, so checkouts with the variant would offer no shipping. Add the location, with rates, to the profile in the store's settings (Shipping and delivery). Then apply the location plan again.":
    'Das Versandprofil der Variante hat keine Versandpreise für Platens Standort, daher böten Checkouts mit ihr keinen Versand an. Fügen Sie den Standort mit Preisen in den Einstellungen des Shops (Versand und Zustellung) zum Profil hinzu. Wenden Sie dann den Standortplan erneut an.',
  "The store no longer lets Platen read its shipping settings, so Platen does not know whether checkouts with the variant would offer shipping. Open Platen in the store's admin, and switch on “Stock connected variants at Platen’s location” in the settings. The store then asks for the permission.":
    'Platen darf die Versandeinstellungen des Shops nicht mehr lesen. Daher weiß Platen nicht, ob Checkouts mit diesem Produkt Versand anböten. Öffnen Sie Platen im Adminbereich des Shops, und schalten Sie in den Einstellungen „Verbundene Varianten an Platens Standort führen“ ein. Der Shop fragt dann nach der Berechtigung.',
  "The variant is stocked only at Platen's location, and the store does not remove a variant from its last location. First stock it at one of your own locations.":
    'Die Variante wird nur an Platens Standort geführt, und der Shop entfernt eine Variante nicht von ihrem letzten Standort. Führen Sie sie zuerst an einem eigenen Standort.',
  "Open orders with this variant are assigned to Platen's location. Once they are fulfilled or canceled, apply the location plan again to remove the variant.":
    'Offene Bestellungen mit dieser Variante sind Platens Standort zugewiesen. Sind sie ausgeführt oder storniert, wenden Sie den Standortplan erneut an, um die Variante zu entfernen.',
  "Platen currently has no location in this store. To sign in and create the location, open Platen once in the store's admin.":
    'Platen hat in diesem Shop zurzeit keinen Standort. Öffnen Sie Platen einmal im Adminbereich des Shops, damit er angelegt wird.',
  'storeId: {why:text}.': 'storeId: {why:text}.',
  'belongs to another shop with the same print key. Copy your own store ID from the dashboard of the print service. If the settings contain another store’s ID, correct it there too':
    'gehört zu einem anderen Shop mit demselben Schlüssel. Kopieren Sie Ihre eigene Shop-ID aus dem Dashboard des Druckdienstes. Steht in den Einstellungen die ID eines anderen Shops, korrigieren Sie sie auch dort',
  'is missing: Platen does not know the ID of your store at the print service yet. Copy it from the dashboard there, or change any product in that store':
    'fehlt: Platen kennt die ID Ihres Shops beim Druckdienst noch nicht. Kopieren Sie sie aus dem Dashboard dort, oder ändern Sie dort ein beliebiges Produkt',
  'must be one of the stores that belong to this shop: {stores}':
    'muss einer der Shops sein, die zu diesem Shop gehören: {stores}',
  'The print service has a product with this title that was created after your request: {products}. Check whether it is the requested product. If not, request the product again.':
    'Der Druckdienst hat ein Produkt mit diesem Titel, das nach Ihrer Anfrage angelegt wurde: {products}. Prüfen Sie, ob es das gewünschte ist. Wenn nicht, legen Sie das Produkt erneut an.',
  'Several products with this title were created at the print service in the meantime: {products}. Keep the correct product, and delete the others there.':
    'Beim Druckdienst wurden inzwischen mehrere Produkte mit diesem Titel angelegt: {products}. Behalten Sie das richtige, und löschen Sie die anderen dort.',
  'The print service did not respond and does not show the product, so it was not created. Request the product again.':
    'Der Druckdienst hat nicht geantwortet und zeigt das Produkt nicht. Es wurde also nicht angelegt. Legen Sie es erneut an.',
  'The print service refuses the product. Correct the request and send it again.':
    'Der Druckdienst lehnt das Produkt ab. Korrigieren Sie die Angaben, und senden Sie sie erneut.',
  'The print service refuses the product: {words:words}. Correct the request and send it again.':
    'Der Druckdienst lehnt das Produkt ab: {words:words}. Korrigieren Sie die Angaben, und senden Sie sie erneut.',
  "The shop's print key has changed. Request the product again to create it with the new key.":
    'Der Schlüssel des Shops hat sich geändert. Legen Sie das Produkt erneut an, damit der neue Schlüssel gilt.',
  "The shop's print key has changed since the product was sent. Check in the earlier account's dashboard whether the product was created.":
    'Der Schlüssel des Shops hat sich seit dem Senden des Produkts geändert. Prüfen Sie im Dashboard des früheren Kontos, ob das Produkt angelegt wurde.',
  'The shop does not use the print service calls that create products. If your account has these calls, switch on “My account can read, confirm and cancel orders” in the settings.':
    'Der Shop verwendet die Aufrufe des Druckdienstes nicht, die Produkte anlegen. Bietet Ihr Konto sie an, schalten Sie in den Einstellungen „Mein Konto kann Aufträge lesen, bestätigen und stornieren“ ein.',
  "The print service does not accept the shop's API key. Enter the key again, then request the product again.":
    'Der Druckdienst akzeptiert den API-Schlüssel des Shops nicht. Geben Sie den Schlüssel erneut ein, und legen Sie dann das Produkt erneut an.',
  'The store has too many products at the print service to check whether this one was created. Create the product in the dashboard there.':
    'Der Shop hat beim Druckdienst zu viele Produkte, um zu prüfen, ob dieses angelegt wurde. Legen Sie das Produkt im Dashboard dort an.',
  'The print service did not respond, and nothing was created. Request the product again.':
    'Der Druckdienst hat nicht geantwortet, und es wurde nichts angelegt. Legen Sie das Produkt erneut an.',
  'The print service did not report the outcome. Check its dashboard before you request the product again.':
    'Der Druckdienst hat das Ergebnis nicht gemeldet. Prüfen Sie sein Dashboard, bevor Sie das Produkt erneut anlegen.',
  "The print service has been publishing the product for over an hour. Publish it again in the print service's dashboard, or contact its support.":
    'Der Druckdienst veröffentlicht das Produkt seit über einer Stunde. Veröffentlichen Sie es in seinem Dashboard erneut, oder wenden Sie sich an seinen Support.',
  'The product was deleted at the print service.': 'Das Produkt wurde beim Druckdienst gelöscht.',
  'The print service could not publish the product to your store: {code:text}. Open the product in the dashboard there, fix the error and publish it again.':
    'Der Druckdienst konnte das Produkt nicht in Ihrem Shop veröffentlichen: {code:text}. Öffnen Sie es im Dashboard dort, beheben Sie den Fehler, und veröffentlichen Sie es erneut.',
  'The print service could not publish the product to your store: {code:field}. Open the product in the dashboard there, fix the error and publish it again.':
    'Der Druckdienst konnte das Produkt nicht in Ihrem Shop veröffentlichen: {code:field}. Öffnen Sie es im Dashboard dort, beheben Sie den Fehler, und veröffentlichen Sie es erneut.',
  'no reason given': 'ohne Angabe eines Grundes',
  'The shop has no API key for the print service yet. Enter it in the settings.':
    'Der Shop hat noch keinen API-Schlüssel für den Druckdienst. Geben Sie ihn in den Einstellungen ein.',
  '{what:text} requires print service calls that this shop does not use. If your account has these calls, switch on “My account can read, confirm and cancel orders” in the settings.':
    '{what:text} braucht Aufrufe des Druckdienstes, die dieser Shop nicht verwendet. Bietet Ihr Konto sie an, schalten Sie in den Einstellungen „Mein Konto kann Aufträge lesen, bestätigen und stornieren“ ein.',
  'A catalog product': 'Ein Produkt des Katalogs',
  'The list of catalogs': 'Die Liste der Kataloge',
  'Creating a product from a template': 'Ein Produkt aus einer Vorlage anzulegen',
  'the product {uid:field}': 'das Produkt {uid:field}',
  'the list of catalogs': 'die Liste der Kataloge',
  'the catalog {uid:field}': 'den Katalog {uid:field}',
  'the template {id:field}': 'die Vorlage {id:field}',
  'a quote for this order': 'ein Angebot für diesen Auftrag',
  'The print service does not have {what:text}.': 'Der Druckdienst hat Folgendes nicht: {what:text}.',
  '{what:field}: refused by the print service.': '{what:field}: vom Druckdienst abgelehnt.',
  '{what:text}: refused by the print service.': 'Vom Druckdienst abgelehnt: {what:text}.',
  "The print service does not accept the shop's API key. Copy the key again from your print service account into the settings.":
    'Der Druckdienst akzeptiert den API-Schlüssel des Shops nicht. Kopieren Sie den Schlüssel erneut aus Ihrem Konto beim Druckdienst in die Einstellungen.',
  'The print service refuses payments from your account. Update its payment method there.':
    'Der Druckdienst lehnt Zahlungen von Ihrem Konto ab. Ändern Sie dort die Zahlungsart.',
  'The print service sends a value that Platen cannot read ({field:field}).':
    'Der Druckdienst sendet einen Wert, den Platen nicht lesen kann ({field:field}).',
  'The print service received too many requests. Try again in a minute.':
    'Der Druckdienst hat zu viele Anfragen erhalten. Versuchen Sie es in einer Minute erneut.',
  'The variant was deleted in your store. It can no longer be ordered.':
    'Die Variante wurde in Ihrem Shop gelöscht. Sie kann nicht mehr bestellt werden.',
  'The print service shows the variant as not connected. Connect it there, or mark it there as ignored if it is not printed.':
    'Der Druckdienst zeigt die Variante als nicht verbunden. Verbinden Sie sie dort, oder markieren Sie sie dort als ignoriert, falls sie nicht gedruckt wird.',
  'The product at the print service no longer has this variant. Add the variant there again, or connect it to another product there.':
    'Das Produkt beim Druckdienst hat diese Variante nicht mehr. Fügen Sie sie dort wieder hinzu, oder verbinden Sie sie dort mit einem anderen Produkt.',
  "The variant's product was deleted at the print service. Create and connect the product there again, or stop selling the variant.":
    'Das Produkt der Variante wurde beim Druckdienst gelöscht. Legen Sie es dort wieder an, und verbinden Sie es, oder verkaufen Sie die Variante nicht mehr.',
  'The variant is not connected to a product at the print service. Connect it there, or mark it there as ignored.':
    'Die Variante ist beim Druckdienst mit keinem Produkt verbunden. Verbinden Sie sie dort, oder markieren Sie sie dort als ignoriert.',
  'Your store no longer has this product.': 'Ihr Shop hat dieses Produkt nicht mehr.',
  'The product was deleted at the print service, and its orders are held.':
    'Das Produkt wurde beim Druckdienst gelöscht, und seine Bestellungen sind angehalten.',
  'Create and connect the product there again, or stop selling it in your store.':
    'Legen Sie das Produkt dort wieder an, und verbinden Sie es, oder verkaufen Sie es in Ihrem Shop nicht mehr.',
  'Delete the product at the print service too, or publish it to your store again from there.':
    'Löschen Sie das Produkt auch beim Druckdienst, oder veröffentlichen Sie es von dort erneut in Ihrem Shop.',
  'The print service could not publish the product to your store.':
    'Der Druckdienst konnte das Produkt nicht in Ihrem Shop veröffentlichen.',
  'The print service could not publish the product to your store: {code:words}.':
    'Der Druckdienst konnte das Produkt nicht in Ihrem Shop veröffentlichen: {code:words}.',
  'Open the product in the dashboard of the print service, fix the error shown there and publish the product again.':
    'Öffnen Sie das Produkt im Dashboard des Druckdienstes, beheben Sie den dort gezeigten Fehler, und veröffentlichen Sie es erneut.',
  'The print service has been publishing the product for over an hour.':
    'Der Druckdienst veröffentlicht das Produkt seit über einer Stunde.',
  "Publish it again in the dashboard of the print service. If that does not help, contact the print service's support.":
    'Veröffentlichen Sie es im Dashboard des Druckdienstes erneut. Hilft das nicht, wenden Sie sich an dessen Support.',
  'One of its variants is not connected, and their orders are held.':
    'Eine seiner Varianten ist nicht verbunden, und ihre Bestellungen sind angehalten.',
  '{number} of its variants are not connected, and their orders are held.':
    '{number} seiner Varianten sind nicht verbunden, und ihre Bestellungen sind angehalten.',
  'Connect the variant in the dashboard of the print service, or mark it there as ignored if it is not printed.':
    'Verbinden Sie die Variante im Dashboard des Druckdienstes, oder markieren Sie sie dort als ignoriert, falls sie nicht gedruckt wird.',
  'There is no template {id:words}. Copy a template ID from the dashboard of the print service, or create a template there.':
    'Es gibt keine Vorlage {id:words}. Kopieren Sie die ID einer Vorlage aus dem Dashboard des Druckdienstes, oder legen Sie dort eine Vorlage an.',
  'Your plan has no app rates': 'Ihr Tarif erlaubt es nicht',
  "Shopify does not allow rates from apps on this store's plan.":
    'Shopify erlaubt mit dem Tarif dieses Shops keine Versandpreise von Apps.',
  "The Advanced plan and higher plans include app rates. The Shopify plan requires yearly billing or a paid add-on that Shopify Support switches on. Change the plan in the store's admin under Settings → Plan, and open Platen again. Or stop offering shipping prices at checkout in Platen's settings.":
    'Der Tarif Advanced und höhere enthalten Versandpreise von Apps. Beim Tarif Shopify ist jährliche Abrechnung oder eine kostenpflichtige Erweiterung nötig, die der Shopify Support einschaltet. Ändern Sie den Tarif im Adminbereich unter Einstellungen → Plan, und öffnen Sie Platen erneut. Oder schalten Sie die Versandpreise im Checkout in den Einstellungen von Platen aus.',
  'Not in a shipping profile': 'In keinem Versandprofil',
  'Platen can offer rates, but no shipping profile of the store uses them.':
    'Platen kann Versandpreise anbieten, aber kein Versandprofil des Shops verwendet sie.',
  "In the store's admin, open Settings → Shipping and delivery and choose the profile. In each zone, choose Add rate → Use carrier or app to calculate rates → Platen → Done, then Save. Then open Platen again.":
    'Öffnen Sie im Adminbereich Einstellungen → Versand und Zustellung, und wählen Sie das Profil. Wählen Sie in jeder Zone Tarif hinzufügen → Tarife über Versanddienstleister oder App berechnen → Platen → Fertig, dann Speichern. Öffnen Sie dann Platen erneut.',
  'Rejected by the store': 'Vom Shop abgelehnt',
  'The store does not allow Platen to offer rates.': 'Der Shop erlaubt Platen nicht, Versandpreise anzubieten.',
  "In the store's admin, check under Settings → Shipping and delivery whether another app offers rates under the name Platen. If so, remove it there and open Platen again. Otherwise, ask Platen's operator: the log shows Shopify's reason.":
    'Prüfen Sie im Adminbereich unter Einstellungen → Versand und Zustellung, ob eine andere App Preise unter dem Namen Platen anbietet. Wenn ja, entfernen Sie sie dort, und öffnen Sie Platen erneut. Sonst fragen Sie den Betreiber von Platen: Das Protokoll zeigt den Grund von Shopify.',
  'No fallback prices are set. If the print service does not return prices in time, the checkout shows no Platen rates.':
    'Es sind keine Ersatzpreise festgelegt. Antwortet der Druckdienst nicht rechtzeitig, zeigt der Checkout keine Preise von Platen.',
  'This product is not in your store.': 'Dieses Produkt ist nicht in Ihrem Shop.',
  'The variant has no print file. Enter a file for all variants or for this variant.':
    'Die Variante hat keine Druckdatei. Geben Sie eine Datei für alle Varianten oder für diese Variante an.',
  'The template has no valid product for this variant: {field} {why:text}.':
    'Die Vorlage hat für diese Variante kein gültiges Produkt: {field} {why:text}.',
  'Several template variants have these options: {ids}. Link the variant by hand.':
    'Mehrere Varianten der Vorlage haben diese Optionen: {ids}. Verknüpfen Sie die Variante von Hand.',
  'Another variant of the product has the same options ({options:words}). Link both by hand.':
    'Eine andere Variante des Produkts hat dieselben Optionen ({options:words}). Verknüpfen Sie beide von Hand.',
  'The template variant has no product UID. Check the template at the print service.':
    'Die Variante der Vorlage hat keine Produkt-UID. Prüfen Sie die Vorlage beim Druckdienst.',
  'The template has no variant with {options:words}.': 'Die Vorlage hat keine Variante mit {options:words}.',
  'The template has no variant with no options.': 'Die Vorlage hat keine Variante ohne Optionen.',
  "The variant's options ({options:words}) differ from the template's options ({list:words}). If only an option's name differs, assign it to the template's name.":
    'Die Optionen der Variante ({options:words}) weichen von denen der Vorlage ({list:words}) ab. Unterscheidet sich nur der Name einer Option, ordnen Sie ihn dem Namen der Vorlage zu.',
};
