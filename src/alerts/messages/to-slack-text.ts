import type { Message, Section } from './message.ts';

/** Returns a message in Slack's text format, which similar chats accept too. */
export function toSlackText({ subject, sections, footer }: Message): string {
  const parts = [
    `*${escapeText(subject)}*`,
    ...sections.map(sectionToText),
    `${escapeText(footer.text)} ${link(footer.link)}`,
  ];
  return parts.join('\n\n');
}

function sectionToText({ title, texts = [], facts = [], links = [] }: Section): string {
  const lines = [
    `*${escapeText(title)}*`,
    ...texts.map(escapeText),
    ...facts.map(({ name, value, note }) => escapeText(`${name}: ${value}${note === undefined ? '' : ` (${note})`}`)),
    ...(links.length > 0 ? [links.map(link).join(' · ')] : []),
  ];
  return lines.join('\n');
}

function link({ label, url }: { label: string; url: string }): string {
  return `<${url}|${escapeText(label).replaceAll('|', '/')}>`;
}

/** Without this, an order's name could mention everyone in the channel. */
function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
