/** Patterns of texts that reveal internal details of Platen, by the kind of detail. */
const DETAILS: Record<string, RegExp> = {
  'a stack frame': /\bat (?:async )?(?:[\w.<>[\] ]{1,80} \()?(?:file:|node:|\/)[^\s)]{1,300}:\d+/,
  'a source file': /node_modules|\/src\/\w|\b[\w-]{1,60}\.ts:\d+/,
  'an error class of the runtime':
    /\b(?:TypeError|RangeError|SyntaxError|ReferenceError|AssertionError|AbortError|is not a function|is not iterable|Cannot read propert|of undefined|Unexpected token|in JSON at position)\b/,
  'a message of the database':
    /QueryFailedError|EntityNotFound|SQLSTATE|violates \w+[- ]\w* ?constraint|duplicate key value|invalid input syntax|invalid byte sequence|out of range for type|value too long for type|syntax error at|relation "|column "|unsupported Unicode|deadlock detected|canceling statement|current transaction is aborted/i,
  'an SQL statement': /\b(?:select|insert into|update|delete from) "?[a-z_]{3,40}"? (?:set|from|where|values)\b/,
  'a library': /\b(?:typeorm|postgres|node-postgres|graphile|undici|zod|koa|vitest|prom-client|pino)\b/i,
  'a validator’s own words':
    /invalid_type|invalid_union|unrecognized_keys|invalid_format|Invalid input|Unrecognized key|Too (?:big|small): expected|Invalid option|Invalid string|received undefined/i,
  'a network address or error': /ECONN|ENOTFOUND|EPIPE|ETIMEDOUT|ENOENT|getaddrinfo|socket hang up|fetch failed/,
};

/** The parts of a response that may reveal something, and the texts that it may repeat from the request. */
interface Answered {
  text: string;
  sent: string;
}

/** Returns the kinds of internal details that a response reveals. Text from the request itself does not count. */
export function findInternalDetails({ text, sent }: Answered, secrets: Readonly<Record<string, string>>): string[] {
  const found = Object.entries(DETAILS).flatMap(([what, pattern]) => {
    const [match] = pattern.exec(text) ?? [];
    return match === undefined || sent.includes(match) ? [] : [`${what}: ${match}`];
  });
  const leaked = Object.entries(secrets).filter(([, secret]) => text.includes(secret) && !sent.includes(secret));
  return [...found, ...leaked.map(([what]) => what)];
}
