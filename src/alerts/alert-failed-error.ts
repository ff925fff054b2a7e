import { PlatenError } from '../errors.ts';

/** The reasons why an alert or a test message did not reach its recipients, in words for the merchant. Test messages are not retried. */
const alertProblems = {
  mail_not_set_up: "This installation cannot send emails. Platen's operator must set up a mail server first.",
  mail_unavailable: 'The mail server does not respond. Platen retries alerts until it does.',
  mail_login_refused: "The mail server refuses Platen's login. Platen's operator must correct it.",
  mail_recipient_refused: 'The mail server refuses at least one of the email addresses. Check the addresses.',
  mail_refused: "The mail server refuses the message. Platen's operator must check the sender and the mail server.",
  chat_unavailable: 'The chat does not respond. Platen retries alerts until it does.',
  chat_refused:
    'The chat refuses the message. Check that its incoming webhook still exists, and enter its current address.',
  chat_not_public:
    'The address of the chat does not lead to a public server. Enter the address of an incoming webhook.',
} as const;
export type AlertProblem = keyof typeof alertProblems;

/** A message could not be sent. The error contains neither an address nor a server's response. */
export class AlertFailedError extends PlatenError {
  readonly problem: AlertProblem;
  constructor(problem: AlertProblem, options: ErrorOptions = {}) {
    super('alert_failed', alertProblems[problem], options);
    this.problem = problem;
  }
}

/** Returns a problem with its message. A later version may have stored a code that this version does not know. */
export function describeAlertProblem(code: string | null): { code: string; message: string } | null {
  if (code === null) return null;
  const messages: Readonly<Record<string, string | undefined>> = alertProblems;
  return { code, message: messages[code] ?? alertProblems.mail_refused };
}
