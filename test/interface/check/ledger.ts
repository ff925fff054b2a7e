// Records which checks covered each row, so that the test finds unchecked rows.

/** What a row is checked against: the client's schemas, the stand-in's responses, refusals or events, or a separate test case. */
export type CheckKind = 'client' | 'answer' | 'refusal' | 'event' | 'case';

/** Records which rows must be checked and which have been checked. */
export function createLedger() {
  const wanted = new Map<string, Set<CheckKind>>();
  const done = new Map<string, Set<CheckKind>>();
  const checks = new Map<CheckKind, number>();

  function add(map: Map<string, Set<CheckKind>>, row: string, kind: CheckKind): void {
    map.set(row, (map.get(row) ?? new Set<CheckKind>()).add(kind));
  }

  return {
    /** Requires these kinds of checks for a row. */
    want(row: string, ...kinds: readonly CheckKind[]): void {
      for (const kind of kinds) add(wanted, row, kind);
    },
    /** Records that a row was compared. */
    done(row: string, kind: CheckKind): void {
      add(done, row, kind);
      checks.set(kind, (checks.get(kind) ?? 0) + 1);
    },
    wasDone(row: string, kinds: readonly CheckKind[]): boolean {
      return kinds.every((kind) => done.get(row)?.has(kind) === true);
    },
    /** Returns the required checks that were not done, as `row: kind`. */
    missing(): string[] {
      return [...wanted].flatMap(([row, kinds]) =>
        [...kinds].filter((kind) => done.get(row)?.has(kind) !== true).map((kind) => `${row}: ${kind}`),
      );
    },
    /** Returns the number of rows, and for each kind the number of checked rows and of comparisons. */
    counts(): { rows: number; checked: Record<string, number>; comparisons: Record<string, number> } {
      const checked = Object.fromEntries(
        [...checks.keys()].map((kind) => [kind, [...wanted].filter(([row]) => done.get(row)?.has(kind)).length]),
      );
      return { rows: wanted.size, checked, comparisons: Object.fromEntries(checks) };
    },
  };
}
export type Ledger = ReturnType<typeof createLedger>;
