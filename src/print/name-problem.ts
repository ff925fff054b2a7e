import type { PrintProblem } from './errors.ts';

/** Calls about products and a recipient: quotes, and creates of the current interface. */
const QUOTES = ['quote', 'createOrder'];
/** Calls that name an order. */
const ABOUT_ORDERS = ['getOrder', 'patchOrder', 'deleteDraft', 'cancelOrder'];
const UNSUPPORTED = ['not supported', 'unsupported', 'not a supported', 'not available', 'unavailable'];

interface ProblemRow {
  problem: PrintProblem;
  statuses: readonly number[];
  /** Prefixes of its operations; default: any. */
  operations?: readonly string[];
  /** The message contains one word of each group, in lower case; default: any message. */
  words?: readonly (readonly string[])[];
}

/**
 * The documented errors (docs/rules/print-interface.md#errors); the first matching row counts. The documentation gives the meaning of the
 * messages but not their text, so they are recognized by words. If it names 400 or 404, the current calls may answer either, or 422.
 */
const ROWS: readonly ProblemRow[] = [
  { problem: 'unauthorized', statuses: [401] },
  { problem: 'too_many_requests', statuses: [429] },
  { problem: 'server_error', statuses: [500] },
  { problem: 'gateway_error', statuses: [502, 503, 504] },
  refusal('unknown_product', ['product'], ['exist', 'unknown', 'not found', 'no such']),
  refusal('unsupported_currency', ['currency', 'currencies'], UNSUPPORTED),
  refusal(
    'undeliverable',
    ['deliver'],
    ['not possible', 'impossible', 'not be delivered', 'cannot', 'unable', 'check'],
  ),
  refusal('unsupported_product', ['product'], UNSUPPORTED),
  refusal('unsupported_country', ['country', 'countries'], UNSUPPORTED),
  { problem: 'order_not_found', statuses: [404], operations: ABOUT_ORDERS },
  { problem: 'not_found', statuses: [404] },
  { problem: 'invalid_request', statuses: [400] },
];

/**
 * The field of a problem, by its name in the current interface, for a refusal that names none. An undeliverable address is shown at its
 * first line, which the message asks to check.
 */
const FIELDS: Partial<Record<PrintProblem, string>> = {
  unknown_product: 'productUid',
  unsupported_product: 'productUid',
  unsupported_currency: 'currency',
  unsupported_country: 'country',
  undeliverable: 'addressLine1',
};
/** Only this many characters of a message are examined. */
const MESSAGE_LENGTH = 2_000;

/** The documented problem that a status and message of this operation indicate; null if there is no documented one. */
export function nameProblem(operation: string, status: number, message: string): PrintProblem | null {
  const text = message.slice(0, MESSAGE_LENGTH).toLowerCase();
  return ROWS.find((row) => fits(row, operation, status, text))?.problem ?? null;
}

/** The field of a problem; null if it has none. */
export function fieldOfProblem(problem: PrintProblem | null): string | null {
  return problem === null ? null : (FIELDS[problem] ?? null);
}

function refusal(problem: PrintProblem, ...words: (readonly string[])[]): ProblemRow {
  return { problem, statuses: [400, 404, 422], operations: QUOTES, words };
}

function fits({ statuses, operations, words }: ProblemRow, operation: string, status: number, text: string): boolean {
  return (
    statuses.includes(status) &&
    (operations?.some((name) => operation.startsWith(name)) ?? true) &&
    (words?.every((group) => group.some((word) => text.includes(word))) ?? true)
  );
}
