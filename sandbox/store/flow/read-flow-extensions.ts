import { readFileSync } from 'node:fs';
import { parse } from 'smol-toml';
import { z } from 'zod';

const TEXTS = ['single_line_text_field', 'multi_line_text_field', 'email', 'url'] as const;

const fieldSchema = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('order_reference'), required: z.boolean().default(false) }),
  z.looseObject({ type: z.enum(TEXTS), key: z.string(), required: z.boolean().default(false) }),
]);
const settingsSchema = z.object({ fields: z.array(fieldSchema).default([]) }).prefault({});
const named = { name: z.string(), handle: z.string().max(30) };

const tomlSchema = z.object({
  extensions: z.array(
    z.discriminatedUnion('type', [
      z.looseObject({ type: z.literal('flow_trigger'), ...named, settings: settingsSchema }),
      z.looseObject({ type: z.literal('flow_action'), ...named, settings: settingsSchema, runtime_url: z.string() }),
      z.looseObject({ type: z.literal('flow_trigger_lifecycle_callback'), url: z.string() }),
    ]),
  ),
});

type FlowExtension = z.output<typeof tomlSchema>['extensions'][number];
export type FlowTrigger = Extract<FlowExtension, { type: 'flow_trigger' }>;
export type FlowAction = Extract<FlowExtension, { type: 'flow_action' }>;

interface FlowExtensions {
  triggers: FlowTrigger[];
  actions: FlowAction[];
  /** The path on the app's host to which Shopify reports which shops use the app's triggers. */
  callbackPath: string;
}

/** Reads the triggers and actions that this repository's app adds to Shopify Flow. */
export function readFlowExtensions(): FlowExtensions {
  const file = new URL('../../../extensions/flow/shopify.extension.toml', import.meta.url);
  const { extensions } = tomlSchema.parse(parse(readFileSync(file, 'utf8')));
  const callback = extensions.find((one) => one.type === 'flow_trigger_lifecycle_callback');
  return {
    triggers: extensions.filter((one) => one.type === 'flow_trigger'),
    actions: extensions.filter((one) => one.type === 'flow_action'),
    callbackPath: callback === undefined ? '/' : new URL(callback.url, 'https://app.example').pathname,
  };
}

/** Returns the problems of a payload, in Shopify's words. A field of a trigger must be present, because a workflow may use it. */
export function findPayloadProblems(
  { type, settings: { fields } }: FlowTrigger | FlowAction,
  payload: Readonly<Record<string, unknown>>,
): string[] {
  const keys = fields.map(keyOf);
  return [
    ...Object.keys(payload)
      .filter((key) => !keys.includes(key))
      .map((key) => `Invalid field: '${key}'.`),
    ...fields.flatMap((field) => {
      const key = keyOf(field);
      const value = payload[key];
      if (value === undefined || value === null)
        return type === 'flow_trigger' || field.required ? [`Required field missing: '${key}'.`] : [];
      return fits(field, value) ? [] : [`Type error for field '${key}': ${JSON.stringify(value)} is not valid.`];
    }),
  ];
}

type Field = z.output<typeof fieldSchema>;

/** Returns the name of a field in a payload. */
function keyOf(field: Field): string {
  return field.type === 'order_reference' ? 'order_id' : field.key;
}

function fits(field: Field, value: unknown): boolean {
  if (field.type === 'order_reference') return /^[1-9]\d*$/.test(String(value)) && typeof value !== 'object';
  if (typeof value !== 'string') return false;
  if (field.type === 'url') return URL.canParse(value);
  if (field.type === 'email') return z.email().safeParse(value).success;
  return field.type === 'multi_line_text_field' || !/[\r\n]/.test(value);
}
