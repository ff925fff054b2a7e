import { renderToString } from 'preact-render-to-string';
import type { Boot } from '../http/pages/admin/boot.ts';
import { App } from './app.tsx';
import { setTimeZone } from './format.ts';
import { setRoute } from './router.ts';
import { chooseLanguage } from './texts/texts.ts';

/**
 * Renders the first document's content on the server. Rendering is synchronous, so that concurrent documents cannot mix languages or shops.
 */
export function render(boot: Boot, address: string): string {
  chooseLanguage(boot.locale);
  setTimeZone(boot.shop.timeZone);
  setRoute(address);
  return renderToString(<App boot={boot} />);
}
