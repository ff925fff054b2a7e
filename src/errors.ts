/** What is known about the effect of an outside call that failed: nothing was done, or something may have been. */
export type Effect = 'none' | 'unknown';

/** Base of the errors that Platen throws deliberately: a stable code for programs and a sentence for people. */
export class PlatenError extends Error {
  readonly code: string;
  /** Part of an outage that the log has already reported. */
  isDuringOutage = false;
  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
  }
}

/** Input from a person or program that can be corrected. Names the field and the remedy. Endpoints answer it with 400. */
export class InvalidInputError extends PlatenError {
  readonly field: string;
  constructor(field: string, message: string) {
    super('invalid_input', message);
    this.field = field;
  }
}

/**
 * A setting needs access scopes that the store has not granted. Names the setting and the scopes. Endpoints answer it with 403, and the
 * pages then ask the merchant for the scopes.
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

/** The request is not possible in the current state; the code says why. Endpoints answer it with 409. */
export class NotPossibleError extends PlatenError {}

/** The requested thing does not exist or belongs to another shop. Endpoints answer it with 404. */
export class NotFoundError extends PlatenError {
  constructor(message: string) {
    super('not_found', message);
  }
}

/**
 * A required service does not respond now, and nothing was done. The request may be retried, after `retryAfterSeconds` if given. Endpoints
 * answer it with 503.
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
