/** What is known about the effect of an outside call that failed: nothing was done, or it may have been. */
export type Effect = 'none' | 'unknown';

/** Base of the errors Platen throws on purpose: a stable code for programs and a sentence for people. */
export class PlatenError extends Error {
  readonly code: string;
  /** It is a part of an outage that the log has reported already. */
  isDuringOutage = false;
  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
  }
}

/** Input that a person or a program gave and can mend: names the field and the remedy. Answered with 400 by a door. */
export class InvalidInputError extends PlatenError {
  readonly field: string;
  constructor(field: string, message: string) {
    super('invalid_input', message);
    this.field = field;
  }
}

/**
 * A setting that needs access scopes which the store has not granted: names the setting and the scopes to ask for. Answered with
 * 403 by a door; the pages then ask the merchant for them.
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

/** What a person asks for makes no sense in the state that the thing is in; the code says why. Answered with 409 by a door. */
export class NotPossibleError extends PlatenError {}

/** Something that was asked for is not there, or is not this shop's. Answered with 404 by a door. */
export class NotFoundError extends PlatenError {
  constructor(message: string) {
    super('not_found', message);
  }
}

/**
 * Who has to be asked does not answer now, and nothing was done: it may be tried again, after so many seconds if they are told. Answered
 * with 503 by a door.
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
