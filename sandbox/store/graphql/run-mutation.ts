import type { View } from './view.ts';

/** An entry in a mutation's `userErrors`. `field` is the path of the argument, and `code` is one of the error type's codes. */
export class UserError extends Error {
  readonly field: readonly string[] | null;
  readonly code: string | null;
  constructor(field: readonly string[] | null, message: string, code: string | null = null) {
    super(message);
    this.field = field;
    this.code = code;
  }
}

/** The errors of a list's rejected items, keyed by index. */
class UserErrors extends Error {
  readonly errors: ReadonlyMap<number, UserError>;
  constructor(errors: ReadonlyMap<number, UserError>) {
    super([...errors.values()].map(({ message }) => message).join(' '));
    this.errors = errors;
  }
}

/** Maps each item of a list. Throws UserErrors with the errors of all rejected items. */
export function mapOrRefuse<Item, Made>(items: readonly Item[], make: (item: Item, index: number) => Made): Made[] {
  const errors = new Map<number, UserError>();
  const made = items.flatMap((item, index) => {
    try {
      return [make(item, index)];
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      errors.set(index, error);
      return [];
    }
  });
  if (errors.size > 0) throw new UserErrors(errors);
  return made;
}

/**
 * Returns a mutation's payload: the result of `run`, or, if `run` threw user errors, a payload with these errors in which every other field
 * is null.
 */
export function runMutation(fields: readonly string[], run: () => View): View {
  const nothing = Object.fromEntries(fields.map((field) => [field, null]));
  try {
    return { ...nothing, userErrors: [], ...run() };
  } catch (error) {
    if (error instanceof UserError) return { ...nothing, userErrors: [toUserError(error)] };
    if (!(error instanceof UserErrors)) throw error;
    return { ...nothing, userErrors: [...error.errors].map(([index, one]) => toUserError(one, index)) };
  }
}

/** Formats a user error for a payload, with its index in a list of the input. */
export function toUserError({ field, message, code }: UserError, elementIndex: number | null = null): View {
  return { field, message, code, elementIndex };
}
