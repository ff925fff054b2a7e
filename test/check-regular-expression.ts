// Read at import: selects the JavaScript checker, because the native one is missing on some machines.
process.env['RECHECK_BACKEND'] = 'pure';
const { checkSync } = await import('recheck');

/** On a busy machine, checking the longer patterns takes a long time. */
const TIMEOUT_MS = 45_000;

/** Returns `safe` if every match takes time that is linear in the length of the text, and otherwise the problem. */
export function checkRegularExpression(pattern: string, flags: string): string {
  // Proves safety where possible. For a pattern with a lookahead, the checker can only search for a text that is slow to match.
  const proof = checkSync(pattern, flags, { checker: 'automaton', timeout: TIMEOUT_MS });
  const result = proof.status === 'unknown' ? checkSync(pattern, flags, { timeout: TIMEOUT_MS }) : proof;
  if (result.status === 'safe') return 'safe';
  return result.status === 'vulnerable' ? `vulnerable, ${result.complexity.summary}` : `unknown, ${result.error.kind}`;
}
