import { renderToString } from 'preact-render-to-string';
import type { Boot } from '../http/pages/admin/boot.ts';
import { App } from './app.tsx';
import { useTimeZone } from './format.ts';
import { setPlace } from './router.ts';
import { chooseLanguage } from './texts/texts.ts';

/**
 * Renders the first document's content on the server. Rendering is synchronous, so that concurrent documents cannot mix languages or shops.
 */
export function render(boot: Boot, address: string): string {
  chooseLanguage(boot.locale);
  useTimeZone(boot.shop.timeZone);
  setPlace(address);
  return renderToString(<App boot={boot} />);
}
