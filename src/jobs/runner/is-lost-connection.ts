import pg from 'pg';

/**
 * Returns whether the server is shutting down, starting or unreachable. The driver's own errors have no code, but mention the connection.
 */
export function isLostConnection(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return /^(08|57P)/.test(error.code ?? '');
  return (
    error instanceof Error &&
    (/\bconnect/i.test(error.message) || ('code' in error && /^E[A-Z]+$/.test(String(error.code))))
  );
}
