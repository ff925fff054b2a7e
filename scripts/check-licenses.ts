import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import parse from 'spdx-expression-parse';

/** Licenses that permit use, changes and redistribution without conditions for Platen's own code. */
const ALLOWED: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Python-2.0',
  'Unlicense',
]);

interface Exception {
  /** The package's name. A trailing `*` matches any ending, such as a platform. */
  name: string;
  /** The license expression, or null if the package declares none. */
  license: string | null;
  reason: string;
}

/** Packages with another license. Each is used only for development, and none of its code is in the image. */
const EXCEPTIONS: readonly Exception[] = [
  { name: 'axe-core', license: 'MPL-2.0', reason: 'Only browser tests run it.' },
  { name: 'lightningcss*', license: 'MPL-2.0', reason: 'Only the build of the pages runs it, unchanged.' },
  { name: 'spdx-exceptions', license: 'CC-BY-3.0', reason: 'A list of names. Only this check reads it.' },
  { name: '@shopify/polaris-types', license: null, reason: "Shopify's types for app developers. Only tsc reads them." },
  {
    name: '@shopify/app-bridge-ui-types',
    license: null,
    reason: "Shopify's types for app developers. Only tsc reads them.",
  },
];

/** An entry of `packages` in the lock file. */
export interface LockedPackage {
  version?: string;
  license?: string;
  dev?: boolean;
}

/**
 * Returns a sentence for each package whose license is not allowed, and for each exception that no package needs. An exception covers only
 * development dependencies.
 */
export function findLicenseProblems(
  packages: Readonly<Record<string, LockedPackage>>,
  exceptions: readonly Exception[] = EXCEPTIONS,
): string[] {
  const used = new Set<Exception>();
  const problems: string[] = [];
  for (const [path, { version, license = null, dev = false }] of Object.entries(packages)) {
    if (path === '' || (license !== null && isAllowed(license))) continue;
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const exception = exceptions.find((one) => matches(one, name) && one.license === license);
    if (exception && dev) used.add(exception);
    else
      problems.push(`${name}@${version} (${dev ? 'development' : 'production'}): ${license ?? 'declares no license'}.`);
  }
  const unused = exceptions.filter((exception) => !used.has(exception));
  return [...problems, ...unused.map(({ name }) => `${name}: no package needs this exception. Remove it.`)];
}

function matches({ name: pattern }: Exception, name: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}

/** Returns whether an SPDX expression is satisfied by allowed licenses. A license with an exception, or unknown text, is not allowed. */
function isAllowed(expression: string): boolean {
  try {
    return isSatisfied(parse(expression));
  } catch {
    return false;
  }
}

function isSatisfied(node: ReturnType<typeof parse>): boolean {
  if ('conjunction' in node) {
    const sides = [isSatisfied(node.left), isSatisfied(node.right)];
    return node.conjunction === 'or' ? sides.includes(true) : !sides.includes(false);
  }
  return node.exception === undefined && node.plus !== true && ALLOWED.has(node.license);
}

/**
 * Reads the lock file, which lists the packages of every platform. An older package may declare its license in a form that the lock file
 * omits, so the installed package's own file is read if there is one.
 */
async function readPackages(): Promise<Record<string, LockedPackage>> {
  const root = new URL('../', import.meta.url);
  const { packages } = JSON.parse(await readFile(new URL('package-lock.json', root), 'utf8')) as {
    packages: Record<string, LockedPackage>;
  };
  for (const [path, locked] of Object.entries(packages)) {
    const file = new URL(`${path}/package.json`, root);
    if (path === '' || locked.license !== undefined || !existsSync(file)) continue;
    const { license } = JSON.parse(await readFile(file, 'utf8')) as { license?: string };
    if (license !== undefined) locked.license = license;
  }
  return packages;
}

if (import.meta.main) {
  const packages = await readPackages();
  const problems = findLicenseProblems(packages);
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) {
    console.error('Use another package, or add an exception with its reason to scripts/check-licenses.ts.');
    process.exitCode = 1;
  } else console.log(`The licenses of ${Object.keys(packages).length - 1} packages are allowed.`);
}
