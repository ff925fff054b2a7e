import { QueryFailedError, type DataSource } from 'typeorm';
import { translateToGerman } from '../../src/http/texts/german.ts';

/** Texts of the print service and the store, and messages that tests invent. They stay in English. */
const OTHERS: ReadonlySet<string> = new Set([
  'It has 40 characters of 35',
  'A link is missing',
  'Email is invalid',
  'Fix it',
  'Held',
  'It is being canceled',
  'It is refused',
  'It is there',
  'It moves',
  'It waits',
  'Fixed',
  'No',
  'No code',
  'No rates',
  'No state',
  'None',
  'Province is not valid in Brazil',
  'Shipping method: Shipment method gone_method is not available for this order',
  'Started',
  'The address is missing',
  'The order is planned',
  'The order is received',
  'The print service does not answer',
  'The print service no longer shows it',
  'The print service refused it',
  'address_missing',
  'high_risk',
  'is wrong',
]);

/** Finds the parts of these texts that stay in English. Ignores parts that Platen did not write. */
export function findUntranslated(texts: Iterable<string>): string[] {
  return [...new Set(texts)]
    .flatMap((text) => {
      const { untranslated, kept } = translateToGerman(text);
      // A placeholder's value that has a translation is one of Platen's own texts and must be translated too.
      return [
        ...untranslated,
        ...kept.filter((value) => value.includes(' ') && translateToGerman(value).text !== value),
      ];
    })
    .filter((part) => /\p{L}/u.test(part) && !OTHERS.has(part.replace(/\.$/, '')) && !part.includes('<'));
}

/** The columns that contain texts for people. A page shows each of them. */
const STORED = `
  select message as text from timeline_entries
  union select message from holds
  union select why from step_waits
  union select stopped_reason from backfills where stopped_reason is not null
  union select location_problem ->> 'message' from variants_in_store where location_problem is not null
  union select stock_note ->> 'message' from variants_in_store where stock_note is not null
  union select problem ->> 'message' from new_products where problem is not null
  union select said.text from print_links, jsonb_array_elements(problems) p, lateral (values (p ->> 'message'), (p ->> 'remedy')) said(text)
  union select said.text from link_metafield_problems, jsonb_array_elements(problems) p,
    lateral (values (p ->> 'message'), (p ->> 'remedy')) said(text)`;

const UNDEFINED_TABLE = '42P01';

/** Fails if a database contains a text for people that has no German translation. Uses one statement. */
export async function checkStoredTexts(db: DataSource): Promise<void> {
  const read = (): Promise<{ text: string }[]> => db.query(STORED);
  const rows = await read().catch((error: unknown) => {
    if (!(error instanceof QueryFailedError)) throw error;
    const { code } = error.driverError as { code?: unknown };
    // Tests of migrations drop tables.
    if (code === UNDEFINED_TABLE) return [];
    // Tests of outages leave broken connections in the pool.
    if (code === 'ECONNRESET') return read();
    throw error;
  });
  const untranslated = findUntranslated(rows.map(({ text }) => text));
  if (untranslated.length > 0)
    throw new Error(`These texts have no German translation in src/http/texts/de:\n${untranslated.join('\n')}`);
}
