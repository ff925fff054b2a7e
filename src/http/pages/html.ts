/** A piece of HTML whose texts are escaped already. Made by `html` alone. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Content = Html | string | number | null | false | readonly Content[];

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/**
 * HTML from a template: every text put into it is escaped, for an element as for a quoted attribute; null and false are nothing,
 * a list is its pieces one after the other. No place for a text: a tag's or an attribute's name, a script, a style.
 */
export function html(strings: TemplateStringsArray, ...contents: readonly Content[]): Html {
  return new Html(String.raw({ raw: strings }, ...contents.map(toText)));
}

function toText(content: Content): string {
  if (content === null || content === false) return '';
  if (content instanceof Html) return content.text;
  if (isList(content)) return content.map(toText).join('');
  return String(content).replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

function isList(content: Content): content is readonly Content[] {
  return Array.isArray(content);
}
