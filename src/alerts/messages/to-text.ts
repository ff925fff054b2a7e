import type { Message, Section } from './message.ts';

/** Returns a message as plain text. */
export function toText({ sections, footer }: Message): string {
  const parts = [...sections.map(sectionToText), `${footer.text}\n${footer.link.url}`];
  return `${parts.join('\n\n')}\n`;
}

function sectionToText({ title, texts = [], facts = [], links = [] }: Section): string {
  const lines = [
    title,
    ...texts,
    ...facts.map(({ name, value, note }) => `${name}: ${value}${note === undefined ? '' : ` (${note})`}`),
    ...links.map(({ label, url }) => `${label}: ${url}`),
  ];
  return lines.join('\n');
}
