// Counts which rows were checked in which way, so that a row that nothing checks is found.

/** What compares a row with the page: the client's schemas, the stand-in's answers, its refusals, its events, or a case of its own. */
export type CheckKind = 'client' | 'answer' | 'refusal' | 'event' | 'case';

/** The rows that must be checked, and those that were. */
export function createLedger() {
  const wanted = new Map<string, Set<CheckKind>>();
  const done = new Map<string, Set<CheckKind>>();
  const checks = new Map<CheckKind, number>();

  function add(map: Map<string, Set<CheckKind>>, row: string, kind: CheckKind): void {
    map.set(row, (map.get(row) ?? new Set<CheckKind>()).add(kind));
  }

  return {
    /** Says that a row has to be checked in these ways. */
    want(row: string, ...kinds: readonly CheckKind[]): void {
      for (const kind of kinds) add(wanted, row, kind);
    },
    /** Says that a row was compared. */
    done(row: string, kind: CheckKind): void {
      add(done, row, kind);
      checks.set(kind, (checks.get(kind) ?? 0) + 1);
    },
    wasDone(row: string, kinds: readonly CheckKind[]): boolean {
      return kinds.every((kind) => done.get(row)?.has(kind) === true);
    },
    /** `row: kind` of what was wanted and not done. */
    missing(): string[] {
      return [...wanted].flatMap(([row, kinds]) =>
        [...kinds].filter((kind) => done.get(row)?.has(kind) !== true).map((kind) => `${row}: ${kind}`),
      );
    },
    /** How many rows there are, how many of them each kind compared, and how many comparisons that took. */
    counts(): { rows: number; checked: Record<string, number>; comparisons: Record<string, number> } {
      const checked = Object.fromEntries(
        [...checks.keys()].map((kind) => [kind, [...wanted].filter(([row]) => done.get(row)?.has(kind)).length]),
      );
      return { rows: wanted.size, checked, comparisons: Object.fromEntries(checks) };
    },
  };
}
export type Ledger = ReturnType<typeof createLedger>;
