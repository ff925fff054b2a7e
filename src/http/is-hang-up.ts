const CODES: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'ERR_STREAM_PREMATURE_CLOSE']);

/** Returns whether an error only means that the client disconnected before the response was sent. */
export function isHangUp(error: unknown): boolean {
  return error instanceof Error && 'code' in error && CODES.has(error.code);
}
