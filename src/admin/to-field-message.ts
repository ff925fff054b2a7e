import type { ApiError } from './api.ts';
import { texts } from './texts/texts.ts';

/** Returns an error's message, or a text that says whether the request may have taken effect. */
export function toMessage({ message, isUncertain }: ApiError): string {
  return message || (isUncertain ? texts.app.uncertainText : texts.app.failedText);
}

/** Returns an error's message without the field name at its start, because the form shows the field's label. */
export function toFieldMessage(error: ApiError): string {
  const { field, rule, message } = error;
  const prefix = `${field}: `;
  const rest = rule ?? (field !== null && message.startsWith(prefix) ? message.slice(prefix.length) : message);
  return rest === '' ? toMessage(error) : rest.charAt(0).toUpperCase() + rest.slice(1);
}
