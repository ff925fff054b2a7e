// Read at import: selects the checker in JavaScript, as the native one is missing on some machines.
process.env['RECHECK_BACKEND'] = 'pure';
const { checkSync } = await import('recheck');

/** A busy machine takes long for the longer patterns. */
const TIMEOUT_MS = 45_000;

/** Returns `safe` if every match takes time linear in the text, or else the problem. */
export function checkRegularExpression(pattern: string, flags: string): string {
  // Proven where possible. A pattern with a look-ahead can only be searched for a bad text.
  const proof = checkSync(pattern, flags, { checker: 'automaton', timeout: TIMEOUT_MS });
  const result = proof.status === 'unknown' ? checkSync(pattern, flags, { timeout: TIMEOUT_MS }) : proof;
  if (result.status === 'safe') return 'safe';
  return result.status === 'vulnerable' ? `vulnerable, ${result.complexity.summary}` : `unknown, ${result.error.kind}`;
}
