/** A piece of HTML in which all texts are already escaped. Create it with `html`, or escape the text before calling the constructor. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Content = Html | string | number | null | false | readonly Content[];

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/**
 * Creates HTML from a template. Inserted texts are escaped for use in elements and quoted attributes. Null and false render nothing, and
 * lists are concatenated. Never insert a text into the name of a tag or attribute, or into a script or style.
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
