/** Writes a JSON array to standard output, an element a line, as the elements come. */
export async function printJsonList(elements: AsyncIterable<unknown>): Promise<void> {
  let separator = '[';
  for await (const element of elements) {
    process.stdout.write(`${separator}\n${JSON.stringify(element)}`);
    separator = ',';
  }
  process.stdout.write(separator === '[' ? '[]\n' : '\n]\n');
}
