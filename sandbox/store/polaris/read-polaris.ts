import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** Shopify's own list of the elements, with their attributes, slots and events. */
interface Manifest {
  modules: { declarations: Declaration[] }[];
}

interface Declaration {
  tagName?: string;
  attributes?: { name: string; type?: { text?: string } }[];
  members?: { kind: string; name?: string; type?: { text?: string } }[];
  slots?: { name: string }[];
  events?: { name: string }[];
}

/** The parts of the script, in the order in which they depend on each other. */
const PARTS = ['base', 'layout', 'text', 'actions', 'fields', 'choices', 'table'];
/**
 * Matches the module syntax, which is removed when the parts are joined into one classic script. Shopify's own script is also a single
 * classic script.
 */
const MODULE_SYNTAX = /^import .*$|^export /gm;
/** Elements that only extensions have, from the types in `@shopify/ui-extensions`. */
const EXTENSION_ELEMENTS: Record<string, object> = {
  's-admin-block': { properties: [{ name: 'heading' }, { name: 'collapsedSummary' }], slots: [''], events: [] },
  's-admin-action': {
    properties: [{ name: 'heading' }, { name: 'loading', isFlag: true }],
    slots: ['', 'primary-action', 'secondary-actions'],
    events: [],
  },
  's-admin-print-action': { properties: [{ name: 'src' }], slots: [''], events: [] },
};

/**
 * Returns the script of the stand-in for Polaris's web components. The script contains each element's attributes, slots and events from
 * Shopify's manifest, and reports any other attribute, slot or event as an error. For an extension, `tags` lists the elements of its target.
 */
export function readPolaris(tags: readonly string[] | null = null): string {
  const path = createRequire(import.meta.url).resolve('@shopify/polaris-types/custom-elements');
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as Manifest;
  const declarations = manifest.modules
    .flatMap((one) => one.declarations)
    .filter(({ tagName }) => tagName !== undefined);
  const elements: Record<string, object> = Object.fromEntries(declarations.map((one) => [one.tagName, toElement(one)]));
  if (tags !== null) Object.assign(elements, EXTENSION_ELEMENTS);
  const paths = [
    ...PARTS.map((name) => `${name}.js`),
    ...(tags === null ? [] : ['../extensions/extension-elements.js']),
  ];
  const parts = paths.map((path) => readFileSync(new URL(path, import.meta.url), 'utf8').replaceAll(MODULE_SYNTAX, ''));
  const constants = `const POLARIS = ${JSON.stringify(elements)};\nconst TAGS = ${JSON.stringify(tags)};`;
  return `(() => {\n${constants}\n${parts.join('\n')}\n})();\n`;
}

function toElement({ attributes = [], members = [], slots = [], events = [] }: Declaration): object {
  const fields = new Map(members.flatMap(({ name }) => (name === undefined ? [] : [[name.toLowerCase(), name]])));
  // The manifest lists the content of some elements as an attribute.
  const names = new Set(attributes.map(({ name }) => name).filter((name) => name !== 'children'));
  return {
    properties: [...names].map((attribute) => {
      const type = attributes.find(({ name }) => name === attribute)?.type?.text ?? '';
      const values = toValues(type);
      return {
        name: fields.get(attribute) ?? attribute,
        ...(values && { values }),
        ...(type === 'boolean' && { isFlag: true }),
      };
    }),
    slots: slots.map(({ name }) => name),
    events: events.map(({ name }) => name),
  };
}

/** Returns the values of a type that is a union of string literals. Returns null for any other type. */
function toValues(type: string): string[] | null {
  const parts = type.split(' | ');
  return parts.every((part) => /^"[^"]*"$/.test(part)) ? parts.map((part) => part.slice(1, -1)) : null;
}
