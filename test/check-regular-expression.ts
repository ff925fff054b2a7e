// Read when it is imported: the checker in JavaScript, and none that some machine lacks.
process.env['RECHECK_BACKEND'] = 'pure';
const { checkSync } = await import('recheck');

/** A busy machine takes its time for the longer patterns. */
const TIMEOUT_MS = 45_000;

/** `safe` when every match takes time linear in the text; else what is wrong with it. */
export function checkRegularExpression(pattern: string, flags: string): string {
  // Proven where it can be; a look-ahead can only be searched for a bad text.
  const proof = checkSync(pattern, flags, { checker: 'automaton', timeout: TIMEOUT_MS });
  const result = proof.status === 'unknown' ? checkSync(pattern, flags, { timeout: TIMEOUT_MS }) : proof;
  if (result.status === 'safe') return 'safe';
  return result.status === 'vulnerable' ? `vulnerable, ${result.complexity.summary}` : `unknown, ${result.error.kind}`;
}
