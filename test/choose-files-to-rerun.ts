/** The results of one file in vitest's JSON report. The file's name is relative to the project. */
export interface TestFile {
  name: string;
  status: string;
  assertionResults: { status: string }[];
}

/** If more files than this fail, a busy machine is unlikely to be the cause. */
const MAX_FILES = 5;
/** Tests with random inputs. A second run that passes proves nothing. */
const NEVER_RERUN = /^test\/(?:simulate|fuzz)\//;

/** Returns the files that are worth another run: all failed files if they are few and none of them uses random inputs. */
export function chooseFilesToRerun(files: readonly TestFile[]): string[] {
  const failed = files.filter(({ status }) => status !== 'passed').map(({ name }) => name);
  return failed.length > MAX_FILES || failed.some((name) => NEVER_RERUN.test(name)) ? [] : failed;
}

/**
 * Returns the combined count of both runs, with the second result of each file. A file that could not be loaded counts as one failed
 * test.
 */
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
