import type { Link, Message, Section } from './message.ts';

const BODY = 'margin:0;padding:16px;font:16px/1.5 system-ui,sans-serif;';
const COLUMN = 'max-width:600px;margin:0 auto;';

/** Returns a message as HTML that is readable on a phone and in a dark color scheme. The HTML loads nothing from a server. */
export function toHtml({ language, subject, sections, footer }: Message): string {
  return [
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title>`,
    '<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark"></head>',
    `<body style="${BODY}"><div style="${COLUMN}">`,
    ...sections.map(sectionToHtml),
    `<p style="font-size:14px;opacity:0.75;">${escapeHtml(footer.text)} ${link(footer.link)}</p></div></body></html>`,
  ].join('\n');
}

function sectionToHtml({ title, texts = [], facts = [], links = [] }: Section): string {
  return [
    `<h2 style="font-size:18px;margin:24px 0 4px;">${escapeHtml(title)}</h2>`,
    ...texts.map((text) => `<p style="margin:4px 0;">${escapeHtml(text)}</p>`),
    ...(facts.length > 0 ? [`<table style="border-spacing:0;">${facts.map(toRow).join('')}</table>`] : []),
    ...(links.length > 0 ? [`<p style="margin:4px 0;">${links.map(link).join(' &middot; ')}</p>`] : []),
  ].join('\n');
}

function toRow({ name, value, note }: { name: string; value: string; note?: string }): string {
  const small = note === undefined ? '' : `<br><span style="font-size:14px;opacity:0.75;">${escapeHtml(note)}</span>`;
  return `<tr><td style="padding:4px 16px 4px 0;vertical-align:top;">${escapeHtml(name)}</td><td style="padding:4px 0;vertical-align:top;"><strong>${escapeHtml(value)}</strong>${small}</td></tr>`;
}

function link({ label, url }: Link): string {
  return `<a href="${escapeHtml(url)}">${escapeHtml(label)}</a>`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
