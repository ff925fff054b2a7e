import type { View } from './view.ts';

/** What a mutation refuses in `userErrors`: `field` is the path of the argument, `code` one of the error type's own. */
export class UserError extends Error {
  readonly field: readonly string[] | null;
  readonly code: string | null;
  constructor(field: readonly string[] | null, message: string, code: string | null = null) {
    super(message);
    this.field = field;
    this.code = code;
  }
}

/** The payload of a mutation: what `run` made, or every field null and the user error it threw. */
export function answerMutation(fields: readonly string[], run: () => View): View {
  try {
    return { ...Object.fromEntries(fields.map((field) => [field, null])), ...run(), userErrors: [] };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const { field, message, code } = error;
    return {
      ...Object.fromEntries(fields.map((name) => [name, null])),
      userErrors: [{ field, message, code, elementIndex: null }],
    };
  }
}
