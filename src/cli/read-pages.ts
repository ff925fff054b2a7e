/** Yields all rows of a list that is read page by page. */
export async function* readPages<Row>(
  read: (after: string | null) => Promise<{ rows: Row[]; next: string | null }>,
): AsyncGenerator<Row> {
  let after: string | null = null;
  do {
    const { rows, next }: { rows: Row[]; next: string | null } = await read(after);
    yield* rows;
    after = next;
  } while (after !== null);
}
