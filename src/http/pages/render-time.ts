import { html, type Html } from './html.ts';

const FORMAT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

/** Renders a time in UTC, for pages that do not know the reader's time zone. */
export function renderTime(moment: Date): Html {
  return html`<time datetime="${moment.toISOString()}">${FORMAT.format(moment)} UTC</time>`;
}
