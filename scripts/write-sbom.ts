import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = new URL('../', import.meta.url);
const TARGET = new URL('build/sbom.cdx.json', ROOT);
/** Development dependencies whose code is part of the built pages. */
const BUNDLED = ['preact', '@preact/signals', '@preact/signals-core'];
/** The property of a component that says how it got into the image. */
const ORIGIN = 'platen:origin';

interface Component {
  'bom-ref': string;
  name: string;
  version: string;
  purl: string;
  properties?: { name: string; value: string }[];
  externalReferences?: { type: string; url: string }[];
  [field: string]: unknown;
}

interface Dependency {
  ref: string;
  dependsOn?: string[];
}

export interface Sbom {
  components: Component[];
  dependencies: Dependency[];
  [field: string]: unknown;
}

/**
 * Returns the image's software bill of materials in the CycloneDX format: the production dependencies, the libraries bundled into the pages
 * and Node. The packages of the base image's Linux distribution are not included. The same lock file always gives the same document, so it
 * contains neither a time nor a random serial number.
 */
export async function createSbom(): Promise<Sbom> {
  const [all, { packages }] = await Promise.all([runNpmSbom(), readJson<Lock>('package-lock.json')]);
  const inImage = new Set(Object.entries(packages).filter(isInstalled).map(toRef));
  const image = all.components.filter((component) => inImage.has(component['bom-ref']));
  const bundled = all.components.filter(({ name }) => BUNDLED.includes(name));
  const node = all.components.find(({ name }) => name === 'node');
  if (image.length !== inImage.size || bundled.length !== BUNDLED.length || !node)
    throw new Error('npm sbom lacks a package of the image.');
  const { version } = await readJson<{ version: string }>('package.json');
  const platen = `platen@${version}`;
  const components = [
    ...image.map((component) => withOrigin(component, 'node_modules')),
    ...bundled.map((component) => withOrigin(component, 'bundled into the pages')),
    toNode(node.version),
  ].toSorted((one, other) => compare(one['bom-ref'], other['bom-ref']));
  const refs = new Set([platen, ...components.map((component) => component['bom-ref'])]);
  const dependencies = all.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((one) => refs.has(one)).toSorted(compare) }))
    .toSorted((one, other) => compare(one.ref, other.ref));
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      lifecycles: [{ phase: 'build' }],
      component: {
        'bom-ref': platen,
        type: 'application',
        name: 'platen',
        version,
        purl: `pkg:npm/${platen}`,
        licenses: [{ license: { id: 'MIT' } }],
      },
    },
    components,
    dependencies,
  };
}

interface Lock {
  packages: Record<string, { version: string; dev?: boolean; optional?: boolean; devOptional?: boolean }>;
}

async function readJson<T>(name: string): Promise<T> {
  return JSON.parse(await readFile(new URL(name, ROOT), 'utf8')) as T;
}

/** Whether `npm ci --omit=dev --omit=optional` installs the package. */
function isInstalled([path, { dev, optional, devOptional }]: [string, Lock['packages'][string]]): boolean {
  return path !== '' && !dev && !optional && !devOptional;
}

function toRef([path, { version }]: [string, { version: string }]): string {
  return `${path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)}@${version}`;
}

/** Lists all packages, because npm's own `--omit` also leaves out production dependencies that development dependencies share. */
async function runNpmSbom(): Promise<Sbom> {
  const args = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only'];
  // Settings of the user or of an outer npm must not change the document.
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'] };
  const { stdout } = await promisify(execFile)('npm', args, {
    cwd: fileURLToPath(ROOT),
    env,
    maxBuffer: 64 * 1024 * 1024,
  });
  return JSON.parse(stdout) as Sbom;
}

/** Omits the address from which a package was downloaded, because it differs between registries. The hash identifies the content. */
function withOrigin({ externalReferences = [], ...component }: Component, origin: string): Component {
  const kept = externalReferences.filter(({ type }) => type !== 'distribution');
  return {
    ...component,
    scope: 'required',
    properties: [{ name: ORIGIN, value: origin }],
    ...(kept.length > 0 && { externalReferences: kept }),
  };
}

function toNode(version: string): Component {
  return {
    'bom-ref': `node@${version}`,
    type: 'application',
    name: 'node',
    version,
    scope: 'required',
    purl: `pkg:generic/node@${version}`,
    licenses: [{ license: { id: 'MIT' } }],
    properties: [{ name: ORIGIN, value: 'base image' }],
  };
}

/** Compares text the same way in every locale. */
function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

if (import.meta.main) {
  const sbom = await createSbom();
  await mkdir(new URL('./', TARGET), { recursive: true });
  await writeFile(TARGET, `${JSON.stringify(sbom, null, 2)}\n`);
  console.log(`Wrote ${sbom.components.length} components to ${fileURLToPath(TARGET)}.`);
}
