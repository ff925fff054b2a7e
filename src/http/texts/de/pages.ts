import type { MessageCatalog } from '../create-translator.ts';

/** The pages that replace the admin's pages if there is a problem. */
export const pages: MessageCatalog = {
  'Platen could not complete this request.': 'Platen konnte diese Anfrage nicht ausführen.',
  'Nothing was lost. Try again. If the problem persists, send this ID to Platen’s operator:':
    'Es ist nichts verloren gegangen. Versuchen Sie es erneut. Tritt das Problem wieder auf, senden Sie diese Nummer an den Betreiber von Platen:',
  'Try again': 'Erneut versuchen',
  'This address is incomplete. Open Platen from your store’s admin.':
    'Diese Adresse ist unvollständig. Öffnen Sie Platen im Adminbereich Ihres Shops.',
  'Open Platen in the Apps list of your store’s admin.':
    'Öffnen Sie Platen in der Liste der Apps im Adminbereich Ihres Shops.',
  'Open Platen in the demo store’s admin': 'Platen im Adminbereich des Demo-Shops öffnen',
  'The sign-in was refused.': 'Die Anmeldung wurde abgelehnt.',
  'Shopify’s sign-in for this page is not valid. Close Platen in your store’s admin and open it again.':
    'Die Anmeldung von Shopify für diese Seite ist ungültig. Schließen Sie Platen im Adminbereich Ihres Shops, und öffnen Sie es erneut.',
  'If that does not help, Platen’s operator must check the app’s key and secret, and this server’s clock.':
    'Hilft das nicht, muss der Betreiber von Platen Schlüssel und Secret der App und die Uhr dieses Servers prüfen.',
  'Sign in another way': 'Auf anderem Weg anmelden',
  'The sign-in could not be completed. Open Platen again from your store’s admin.':
    'Die Anmeldung konnte nicht abgeschlossen werden. Öffnen Sie Platen erneut im Adminbereich Ihres Shops.',
  'The pages have not been built. Run "npm run build:admin", then reload this page.':
    'Die Seiten sind noch nicht gebaut. Führen Sie „npm run build:admin“ aus, und laden Sie diese Seite dann neu.',
  'You need JavaScript to make changes in Platen.': 'Platen braucht JavaScript, um etwas zu ändern.',
  'Platen needs JavaScript to sign in to your store’s admin.':
    'Platen braucht JavaScript, um sich im Adminbereich Ihres Shops anzumelden.',
};
