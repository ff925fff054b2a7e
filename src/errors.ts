/** The effect of a failed external request: `none` if nothing was done, `unknown` if something may have been done. */
export type Effect = 'none' | 'unknown';

/** Base class of the errors that Platen throws deliberately. Each error has a stable code for programs and a sentence for people. */
export class PlatenError extends Error {
  readonly code: string;
  /** Whether the error occurred during an outage that the log has already reported. */
  isDuringOutage = false;
  /**
   * The setting change that resolves the error, such as `extendedCalls=on`. Only the command line shows it, because the pages do not show
   * setting names.
   */
  readonly change: string | null;
  constructor(
    code: string,
    message: string,
    { change = null, ...options }: ErrorOptions & { change?: string | null } = {},
  ) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
    this.change = change;
  }
}

/** Input that a person or program can correct. Names the field and the correction. Endpoints respond with 400. */
export class InvalidInputError extends PlatenError {
  readonly field: string;
  /** The rule that the value breaks, without the field's name and description. Null if the message consists only of the rule. */
  readonly rule: string | null;
  constructor(
    field: string,
    message: string,
    { rule = null, change = null }: { rule?: string | null; change?: string | null } = {},
  ) {
    super('invalid_input', message, { change });
    this.field = field;
    this.rule = rule;
  }
}

/**
 * A setting needs access scopes that the store has not granted. Names the setting and the scopes. Endpoints respond with 403. The pages
 * then prompt the merchant to grant the scopes.
 */
export class ScopeNeededError extends PlatenError {
  readonly field: string;
  readonly scopes: readonly string[];
  constructor(field: string, scopes: readonly string[], message: string) {
    super('scope_needed', message);
    this.field = field;
    this.scopes = scopes;
  }
}

/** The request is not possible in the current state. The code identifies the reason. Endpoints respond with 409. */
export class NotPossibleError extends PlatenError {}

/** The requested object does not exist or belongs to another shop. Endpoints respond with 404. */
export class NotFoundError extends PlatenError {
  constructor(message: string) {
    super('not_found', message);
  }
}

/**
 * A required service is not responding, and nothing was done. The client may retry the request, after `retryAfterSeconds` if given.
 * Endpoints respond with 503.
 */
export class UnavailableError extends PlatenError {
  readonly retryAfterSeconds: number | null;
  constructor(
    code: string,
    message: string,
    { retryAfterSeconds, cause }: { retryAfterSeconds: number | null; cause: unknown },
  ) {
    super(code, message, { cause });
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
