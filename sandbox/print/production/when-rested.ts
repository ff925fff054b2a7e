import type { StandIn } from '../stand-in.ts';

/**
 * Calls `step` with each record of this table once it has not moved for this many seconds, including records that are already in the books.
 * Returns a function that stops it.
 */
export function whenRested<Rested extends { movedMs: number }>(
  { books, clock }: StandIn,
  table: string,
  { seconds, step }: { seconds: number; step: (record: Rested) => void },
): () => void {
  const cancels = new Map<string, () => void>();
  let isStopped = false;

  function start(id: string): void {
    const record = books.get<Rested>(table, id);
    if (record === undefined || isStopped) return;
    cancels.get(id)?.();
    const restMs = record.movedMs + seconds * 1000 - clock.now().getTime();
    cancels.set(
      id,
      clock.after(Math.max(0, restMs), () => end(id)),
    );
  }

  function end(id: string): void {
    cancels.delete(id);
    const record = books.get<Rested>(table, id);
    if (record !== undefined) step(record);
  }

  books.ids(table).forEach(start);
  books.watch(table, start);
  return () => {
    isStopped = true;
    for (const cancel of cancels.values()) cancel();
  };
}
