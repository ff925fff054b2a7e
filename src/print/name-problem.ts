import type { PrintProblem } from './errors.ts';

/** Calls that ask about products and a recipient: quotes, and creates of the current interface. */
const QUOTES = ['quote', 'createOrder'];
/** Calls that name an order. */
const ABOUT_ORDERS = ['getOrder', 'patchOrder', 'deleteDraft', 'cancelOrder'];
const UNSUPPORTED = ['not supported', 'unsupported', 'not a supported', 'not available', 'unavailable'];

interface ProblemRow {
  problem: PrintProblem;
  statuses: readonly number[];
  /** How the names of its operations begin; left out: any. */
  operations?: readonly string[];
  /** One of each group is in the message, in lower case; left out: any message. */
  words?: readonly (readonly string[])[];
}

/**
 * The documented errors (interface page, Errors and Earlier interface messages), the first row that fits counts. The page gives the
 * meaning of the messages and not their text, so they are known by words; where the page ties one to 400 or to 404 the current calls
 * may answer either, or 422.
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
 * The field that a problem is about, by its name in the current interface, for a refusal that names none. What cannot be delivered is
 * shown at the first line of the address, which the message asks to check.
 */
const FIELDS: Partial<Record<PrintProblem, string>> = {
  unknown_product: 'productUid',
  unsupported_product: 'productUid',
  unsupported_currency: 'currency',
  unsupported_country: 'country',
  undeliverable: 'addressLine1',
};
/** Of a message, so much is looked at. */
const MESSAGE_LENGTH = 2_000;

/** The documented problem that a status and a message of this operation tell of; null when the interface page names none. */
export function nameProblem(operation: string, status: number, message: string): PrintProblem | null {
  const text = message.slice(0, MESSAGE_LENGTH).toLowerCase();
  return ROWS.find((row) => fits(row, operation, status, text))?.problem ?? null;
}

/** The field that a problem is about; null when it is about none. */
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
