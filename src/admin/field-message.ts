import type { ApiError } from './api.ts';
import { texts } from './texts/texts.ts';

/** Returns an error's message for its field. The API's message begins with the field's name, which the form's label replaces. */
export function toFieldMessage({ field, rule, message }: ApiError): string {
  const prefix = `${field}: `;
  const rest = rule ?? (field !== null && message.startsWith(prefix) ? message.slice(prefix.length) : message);
  return rest === '' ? texts.app.failedText : rest.charAt(0).toUpperCase() + rest.slice(1);
}
