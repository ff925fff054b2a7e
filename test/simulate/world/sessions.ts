import type pg from 'pg';

/**
 * The server's sessions of a simulation. A session plans each statement once, which takes longer than running it, and dies with its
 * connection. Clients therefore share sessions: a client has one of its own only while a transaction is open, or as long as it holds
 * something else that belongs to a session.
 */
export interface Sessions {
  /** Returns the session that runs the client's next statement. */
  take: (client: pg.Client) => Promise<pg.Client>;
  /** Returns the client's own session, if it has one. */
  of: (client: pg.Client) => pg.Client | undefined;
  /** Must be called after each statement, with its text. */
  release: (client: pg.Client, text: string) => void;
  /** Returns the client whose session this is. */
  ownerOf: (session: pg.Client) => pg.Client | undefined;
  /** Closes the own sessions of these clients without a word to the server. Returns their process IDs. */
  close: (clients: readonly pg.Client[]) => number[];
  /** Closes all sessions in this way. */
  closeAll: () => number[];
}

/** Notices and advisory locks belong to a session. */
const KEEPS = /^listen |pg_(try_)?advisory_lock(_shared)?\b/;

export function openSessions(connect: () => Promise<pg.Client>): Sessions {
  const free: pg.Client[] = [];
  const taken = new Map<pg.Client, pg.Client>();
  const kept = new Set<pg.Client>();

  function close(clients: readonly pg.Client[]): number[] {
    return clients.flatMap((client) => {
      const session = taken.get(client);
      taken.delete(client);
      kept.delete(client);
      if (!session) return [];
      closeSocket(session);
      return [pidOf(session)];
    });
  }

  return {
    async take(client) {
      const session = taken.get(client) ?? free.pop() ?? (await connect());
      taken.set(client, session);
      return session;
    },
    of: (client) => taken.get(client),
    release(client, text) {
      const session = taken.get(client);
      if (KEEPS.test(text)) kept.add(client);
      if (!session || kept.has(client) || readState(session) !== 'I') return;
      taken.delete(client);
      free.push(session);
    },
    ownerOf: (session) => [...taken].find(([, one]) => one === session)?.[0],
    close,
    closeAll() {
      free.forEach(closeSocket);
      return [...free.splice(0).map(pidOf), ...close([...taken.keys()])];
    },
  };
}

/** The server's last word about the session's transaction: `I` for none, `T` for an open one, `E` for one that has failed. */
export function readState(session: pg.Client): string | null {
  return (session as unknown as { _txStatus: string | null })._txStatus;
}

export function pidOf(session: pg.Client): number {
  return (session as unknown as { processID: number }).processID;
}

function closeSocket(session: pg.Client): void {
  (session as unknown as { connection: { stream: { destroy: () => void } } }).connection.stream.destroy();
}
