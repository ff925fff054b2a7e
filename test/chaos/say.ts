const begun = Date.now();

/** Writes a progress line to standard error, with the seconds since the run started. */
export function say(line: string): void {
  const seconds = ((Date.now() - begun) / 1000).toFixed(1).padStart(6);
  process.stderr.write(`${seconds} s  ${line}\n`);
}
