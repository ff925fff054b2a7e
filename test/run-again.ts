/** What vitest's JSON report says of one file; its name is relative to the project. */
export interface TestFile {
  name: string;
  status: string;
  assertionResults: { status: string }[];
}

/** More files than these that fail are no matter of a busy machine. */
const MOST_FILES = 5;
/** What they find by chance is found: that another run does not find it proves nothing. */
const NEVER_AGAIN = /^test\/(?:model\/|monkey\/|fuzz\/|flows\/[^/]*-faults\.)/;

/** The files that are worth another run: the few that failed, all of them, and none that searches by chance. */
export function pickToRunAgain(files: readonly TestFile[]): string[] {
  const failed = files.filter(({ status }) => status !== 'passed').map(({ name }) => name);
  return failed.length > MOST_FILES || failed.some((name) => NEVER_AGAIN.test(name)) ? [] : failed;
}

/** The count of both runs: the second's word on a file stands. A file that could not be loaded fails as one test. */
export function mergeRuns(
  first: readonly TestFile[],
  second: readonly TestFile[],
): { passed: number; failed: number; recovered: string[] } {
  const last = new Map([...first, ...second].map((file) => [file.name, file]));
  let passed = 0;
  let failed = 0;
  for (const { status, assertionResults } of last.values()) {
    const ofFile = assertionResults.filter((one) => one.status === 'failed').length;
    failed += status === 'passed' ? ofFile : Math.max(1, ofFile);
    passed += assertionResults.filter((one) => one.status === 'passed').length;
  }
  const recovered = second.filter(({ status }) => status === 'passed').map(({ name }) => name);
  return { passed, failed, recovered };
}
