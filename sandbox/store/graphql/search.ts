import { notModeledError, queryError } from './view.ts';
import { systemClock } from '../../../src/clock.ts';

/** How a search field is compared: as text, or as an ISO time in whole seconds. */
export type Field<Item> =
  | { text: (item: Item) => string | readonly string[] | null }
  | { time: (item: Item) => string };

interface Term {
  negated: boolean;
  field: string;
  operator: '' | '>' | '>=' | '<' | '<=';
  value: string;
}

const TERM = /^(-?)([a-z_]+):(>=|<=|>|<)?(?:'([^']*)'|"([^"]*)"|(\S+))(?:\s+(?:AND\s+)?|$)/;

/**
 * Returns the items that match a query in Shopify's search syntax: `field:value` terms that must all match, with `>` and `<` for times
 * and `-` for negation. Throws for syntax that the stand-in does not model: free text, `OR`, parentheses, unknown fields.
 */
export function search<Item>(
  items: readonly Item[],
  query: string | null | undefined,
  fields: Readonly<Record<string, Field<Item>>>,
): Item[] {
  const terms = parseTerms(query ?? '');
  return items.filter((item) => terms.every((term) => matchesTerm(item, term, fields) !== term.negated));
}

function parseTerms(query: string): Term[] {
  const terms: Term[] = [];
  let rest = query.trim();
  while (rest !== '') {
    const match = TERM.exec(rest);
    if (!match) throw notModeledError(`this search: ${rest}`);
    const [whole, minus, field = '', operator = '', single, double, bare] = match;
    terms.push({
      negated: minus === '-',
      field,
      operator: operator as Term['operator'],
      value: single ?? double ?? bare ?? '',
    });
    rest = rest.slice(whole.length);
  }
  return terms;
}

function matchesTerm<Item>(item: Item, term: Term, fields: Readonly<Record<string, Field<Item>>>): boolean {
  const field = fields[term.field];
  if (!field) throw notModeledError(`the search field ${term.field}`);
  if ('text' in field) {
    const found = field.text(item);
    const values = typeof found === 'string' ? [found] : (found ?? []);
    return term.value.split(',').some((wanted) => values.some((value) => value.toLowerCase() === wanted.toLowerCase()));
  }
  return compareTimes(field.time(item), term);
}

function compareTimes(time: string, { operator, value }: Term): boolean {
  const wanted = value === 'now' ? systemClock.now().getTime() : Date.parse(value);
  if (Number.isNaN(wanted)) throw queryError(`${value} is not a time`);
  const difference = Math.floor(Date.parse(time) / 1000) - Math.floor(wanted / 1000);
  switch (operator) {
    case '>':
      return difference > 0;
    case '>=':
      return difference >= 0;
    case '<':
      return difference < 0;
    case '<=':
      return difference <= 0;
    case '':
      return difference === 0;
  }
}
