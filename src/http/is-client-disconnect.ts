const CODES: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'ERR_STREAM_PREMATURE_CLOSE']);

/** Returns whether an error only means that the client disconnected before the response was sent, or sent bytes that are not HTTP. */
export function isClientDisconnect(error: unknown): boolean {
  if (!(error instanceof Error && 'code' in error)) return false;
  return CODES.has(error.code) || (typeof error.code === 'string' && error.code.startsWith('HPE_'));
}
