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
  /** Takes their own sessions from these clients, as if they were closed. The sessions keep their locks until they are ended. */
  detach: (clients: readonly pg.Client[]) => pg.Client[];
  /** Frees what the detached sessions hold. Returns the process IDs of those that still run a statement, which the server must end. */
  end: (detached: readonly pg.Client[]) => Promise<number[]>;
  /** Closes all sessions without a word to the server. Returns their process IDs. */
  closeAll: () => number[];
}

/** Notices, advisory locks and the way to commit belong to a session. */
const KEEPS = /^listen |^set synchronous_commit\b|pg_(try_)?advisory_lock(_shared)?\b/;
/** Ends what a session holds, but keeps its planned statements. */
const RESET = 'rollback; select pg_advisory_unlock_all(); unlisten *; reset all';

/** `free` contains the open sessions that no client uses. `run` sends a statement directly to the server. */
export function openSessions(
  free: pg.Client[],
  connect: () => Promise<pg.Client>,
  run: (session: pg.Client, text: string) => Promise<unknown>,
): Sessions {
  const taken = new Map<pg.Client, pg.Client>();
  const kept = new Set<pg.Client>();
  /** The sessions that run a statement. */
  const busy = new Set<pg.Client>();

  function detach(clients: readonly pg.Client[]): pg.Client[] {
    return clients.flatMap((client) => {
      const session = taken.get(client);
      taken.delete(client);
      kept.delete(client);
      if (session && busy.has(session)) closeSocket(session);
      return session ? [session] : [];
    });
  }

  return {
    async take(client) {
      const session = taken.get(client) ?? free.pop() ?? (await connect());
      taken.set(client, session);
      busy.add(session);
      return session;
    },
    of: (client) => taken.get(client),
    release(client, text) {
      const session = taken.get(client);
      if (session) busy.delete(session);
      if (KEEPS.test(text)) kept.add(client);
      if (!session || kept.has(client) || readState(session) !== 'I') return;
      taken.delete(client);
      free.push(session);
    },
    ownerOf: (session) => [...taken].find(([, one]) => one === session)?.[0],
    detach,
    async end(detached) {
      for (const session of detached) {
        if (busy.has(session)) continue;
        await run(session, RESET);
        free.push(session);
      }
      return detached.filter((session) => busy.delete(session)).map(pidOf);
    },
    closeAll() {
      const all = [...free.splice(0), ...detach([...taken.keys()])];
      busy.clear();
      all.forEach(closeSocket);
      return all.map(pidOf);
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
