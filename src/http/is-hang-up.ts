const CODES: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'ERR_STREAM_PREMATURE_CLOSE']);

/** Whether an error says no more than that the client went away before its answer was out. */
export function isHangUp(error: unknown): boolean {
  return error instanceof Error && 'code' in error && CODES.has(error.code);
}
