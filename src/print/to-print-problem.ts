import type { PrintProblem } from './errors.ts';

/** Calls with products and a recipient: quote requests and, in the current interface, create requests. */
const QUOTE_OPERATIONS = ['quote', 'createOrder'];
/** Calls that refer to an existing order. */
const ORDER_OPERATIONS = ['getOrder', 'patchOrder', 'deleteDraft', 'cancelOrder'];
const UNSUPPORTED_WORDS = ['not supported', 'unsupported', 'not a supported', 'not available', 'unavailable'];

interface ProblemRow {
  problem: PrintProblem;
  statuses: readonly number[];
  /** Prefixes of the matching operations. By default, any operation matches. */
  operations?: readonly string[];
  /** The message must contain one word from each group, in lowercase. By default, any message matches. */
  words?: readonly (readonly string[])[];
}

/**
 * The documented errors (docs/rules/print-interface.md#errors). The first matching row applies. The documentation describes the messages
 * but does not quote them, so the messages are recognized by keywords. Where the documentation names 400 or 404, the current interface may
 * return either code or 422.
 */
const PROBLEM_ROWS: readonly ProblemRow[] = [
  { problem: 'unauthorized', statuses: [401] },
  { problem: 'payment_required', statuses: [402] },
  { problem: 'too_many_requests', statuses: [429] },
  { problem: 'server_error', statuses: [500] },
  { problem: 'gateway_error', statuses: [502, 503, 504] },
  refusal('unknown_product', ['product'], ['exist', 'unknown', 'not found', 'no such']),
  refusal('unsupported_currency', ['currency', 'currencies'], UNSUPPORTED_WORDS),
  refusal(
    'undeliverable',
    ['deliver'],
    ['not possible', 'impossible', 'not be delivered', 'cannot', 'unable', 'check'],
  ),
  refusal('unsupported_product', ['product'], UNSUPPORTED_WORDS),
  refusal('unsupported_country', ['country', 'countries'], UNSUPPORTED_WORDS),
  { problem: 'order_not_found', statuses: [404], operations: ORDER_OPERATIONS },
  { problem: 'not_found', statuses: [404] },
  { problem: 'invalid_request', statuses: [400] },
];

/**
 * The field that causes each problem, under its name in the current interface. Used for responses that name no field. An undeliverable
 * address is reported on its first line.
 */
const FIELDS: Partial<Record<PrintProblem, string>> = {
  unknown_product: 'productUid',
  unsupported_product: 'productUid',
  unsupported_currency: 'currency',
  unsupported_country: 'country',
  undeliverable: 'addressLine1',
};
/** The maximum number of characters to examine in a message. */
const MESSAGE_LENGTH = 2_000;

/** Returns the documented problem for an operation's status and message, or null if the problem is not documented. */
export function toPrintProblem(operation: string, status: number, message: string): PrintProblem | null {
  const text = message.slice(0, MESSAGE_LENGTH).toLowerCase();
  return PROBLEM_ROWS.find((row) => matchesRow(row, operation, status, text))?.problem ?? null;
}

/** Returns the problem's field, or null if the problem has none. */
export function toProblemField(problem: PrintProblem | null): string | null {
  return problem === null ? null : (FIELDS[problem] ?? null);
}

function refusal(problem: PrintProblem, ...words: (readonly string[])[]): ProblemRow {
  return { problem, statuses: [400, 404, 422], operations: QUOTE_OPERATIONS, words };
}

function matchesRow(
  { statuses, operations, words }: ProblemRow,
  operation: string,
  status: number,
  text: string,
): boolean {
  return (
    statuses.includes(status) &&
    (operations?.some((name) => operation.startsWith(name)) ?? true) &&
    (words?.every((group) => group.some((word) => text.includes(word))) ?? true)
  );
}
