import { html, type Html } from './html.ts';

const FORMAT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

/** A moment, in UTC until the script says it in the reader's own time and language. */
export function showTime(moment: Date): Html {
  return html`<time datetime="${moment.toISOString()}">${FORMAT.format(moment)} UTC</time>`;
}
