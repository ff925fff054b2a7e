import { InvalidInputError } from '../../errors.ts';
import { settingNames, settingsSchema, type SettingName } from './settings-schema.ts';

/**
 * Reads a setting's value from text that a person typed: JSON, a comma-separated list or the text itself, whichever the setting's schema
 * accepts. Empty text clears a setting that may be empty. If the schema accepts none of these forms, returns the most likely one, for which
 * the schema then reports the error. Throws InvalidInputError for malformed JSON.
 */
export function readSettingText(name: string, written: string): unknown {
  const text = written.trim();
  if (!isSettingName(name)) return text;
  const schema = settingsSchema.shape[name].unwrap();
  const candidates = text === '' ? ['', null, [], {}] : [...(text === 'null' ? [null] : []), text, ...readText(text)];
  const tried = candidates.map((value) => ({ value, parsed: schema.safeParse(value) }));
  const match = tried.find(({ parsed }) => parsed.success);
  if (match) return match.value;
  if (/^[[{]/.test(text)) return parseJson(name, text);
  // The form that the schema accepts furthest gives the most precise error.
  const depths = tried.map(({ parsed }) => parsed.error?.issues[0]?.path.length ?? 0);
  return tried[depths.indexOf(Math.max(...depths))]?.value;
}

function isSettingName(name: string): name is SettingName {
  return settingNames.some((one) => one === name);
}

function readText(text: string): unknown[] {
  const words = text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
  try {
    return [JSON.parse(text), words];
  } catch {
    return [words];
  }
}

function parseJson(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const message = `${name}: the value is not valid JSON. In a shell, put single quotes around the value: ${name}='{"a":"b"}'.`;
    throw new InvalidInputError(name, message);
  }
}
