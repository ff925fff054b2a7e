import { html, type Html } from './html.ts';

const FORMAT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

/** Renders a time in UTC. The page's script replaces it with the reader's local time and format. */
export function showTime(moment: Date): Html {
  return html`<time datetime="${moment.toISOString()}">${FORMAT.format(moment)} UTC</time>`;
}
