import type { ApiError } from './api.ts';
import { texts } from './texts/texts.ts';

/** Returns an error's message for its field, without the field's name at the beginning, because the form shows a label. */
export function toFieldMessage({ field, rule, message }: ApiError): string {
  const prefix = `${field}: `;
  const rest = rule ?? (field !== null && message.startsWith(prefix) ? message.slice(prefix.length) : message);
  return rest === '' ? texts.app.failedText : rest.charAt(0).toUpperCase() + rest.slice(1);
}
