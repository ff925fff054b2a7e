import type { Edit } from './copy-tree.ts';
import type { Net } from './nets.ts';

/** A safeguard that is turned off, and the checks that must detect its absence. */
export interface Defect {
  name: string;
  /** The effect of the defect, in a sentence. */
  off: string;
  edits: readonly Edit[];
  /** Each of these nets must fail with a message that matches. */
  nets: readonly { net: Net; says: RegExp }[];
}

const SUBMIT = 'src/orders/submit';
/** Seeds of the simulator, from one that has found the defect. An unchanged simulator finds it there again, and a changed one later. */
const seedsFrom = (from: number): Net => ({ kind: 'simulate', from, seeds: 60 });

const DUPLICATED = /twins|overprinted/;
const LOOK = 'const search = await searchForOrders(scope);';
/**
 * Removes the search before the first attempt. The search for the order of an earlier attempt remains, because without that search the
 * order would never finish, and the defect would be caught for that reason.
 */
const WITHOUT_FIRST_SEARCH = `const search: Awaited<ReturnType<typeof searchForOrders>> =
    (await readAttempts(scope)).length > 0
      ? await searchForOrders(scope)
      : { groups: [], drafts: [], unknownReferences: [], endedReferences: [], siblingReferences: [] };`;

/** The defects, in the order in which they are tried. */
export const defects: readonly Defect[] = [
  {
    name: 'no-look',
    off: 'An order is created without first searching for it at the print service.',
    edits: ['draft/submit-draft.ts', 'submit-direct.ts'].map((file) => ({
      file: `${SUBMIT}/${file}`,
      find: LOOK,
      replace: WITHOUT_FIRST_SEARCH,
    })),
    nets: [{ net: seedsFrom(56), says: DUPLICATED }],
  },
  {
    name: 'random-references',
    off: 'The reference of a print order is random instead of computed from its order.',
    edits: [
      {
        file: 'src/orders/facts/compute-reference.ts',
        find: 'JSON.stringify([source.shop, source.shopifyOrderId, shopifyFulfillmentOrderId, number])',
        replace: 'crypto.randomUUID()',
      },
    ],
    nets: [{ net: seedsFrom(26), says: DUPLICATED }],
  },
  {
    name: 'no-quiet-time',
    off: 'An order counts as absent before the quiet time has passed, although a lost create request may still take effect.',
    edits: [
      {
        file: `${SUBMIT}/submit-direct.ts`,
        find: 'if (now < quietAt || (hasControl && absent < ABSENT_SEARCHES))',
        replace: 'if (hasControl && absent < ABSENT_SEARCHES)',
      },
    ],
    nets: [{ net: seedsFrom(22), says: DUPLICATED }],
  },
  {
    name: 'no-fence',
    off: 'A database continues to act for a store that another database has taken over.',
    edits: [
      {
        file: 'src/shops/fence.ts',
        find: 'throw await recordFencedOff(app, shop, known.fenceKey);',
        replace: 'return;',
      },
    ],
    nets: [
      {
        net: {
          kind: 'test',
          file: 'test/shops/fence.test.ts',
          title: 'a database whose store was taken over by another one sends nothing, and says so',
        },
        says: /expected 1 to be/,
      },
    ],
  },
  {
    name: 'no-version-check',
    off: "An order's rows are written even though another process has changed them since they were read.",
    edits: [
      {
        file: 'src/orders/rows/write-order-rows.ts',
        find: 'where o.id = $1::bigint and o.xmin::text = $2',
        replace: 'where o.id = $1::bigint and $2::text is not null',
      },
      {
        file: 'src/orders/rows/write-order-rows.ts',
        find: "(select coalesce(jsonb_object_agg(id::text, version), '{}') from locked) = $5::jsonb",
        replace: '$5::jsonb is not null',
      },
    ],
    nets: [
      {
        net: {
          kind: 'test',
          file: 'test/orders/rows/order-session.test.ts',
          title: 'many simultaneous changes to one order are all written exactly once',
        },
        says: /to deeply equal/,
      },
    ],
  },
  {
    name: 'event-of-a-spare',
    off: 'An event of a spare draft is treated as an event of the order.',
    edits: [
      {
        file: 'src/orders/follow/receive/save-event-data.ts',
        find: 'const isKnown = isLegacy || (await isKnownPart(manager, printOrder, event.orderId));',
        replace: 'const isKnown = true;',
      },
    ],
    nets: [{ net: seedsFrom(46), says: /estimate/ }],
  },
  {
    name: 'printing-not-counted',
    off: 'Units already in print are not subtracted from the units to print, for the order or for its fulfillment order.',
    edits: [
      {
        file: 'src/orders/plan/decide/count-to-print.ts',
        find: 'Math.max(0, leftToFulfill - onTheWay)',
        replace: 'Math.max(0, leftToFulfill)',
      },
      {
        file: 'src/orders/plan/decide/plan-fulfillment-order.ts',
        find: 'Math.min(remaining, toPrint, total - printedHere)',
        replace: 'Math.min(remaining, toPrint)',
      },
    ],
    nets: [{ net: seedsFrom(2), says: DUPLICATED }],
  },
  {
    name: 'printing-elsewhere-not-counted',
    off: 'Units already in print for another fulfillment order are not subtracted from the units to print.',
    edits: [
      {
        file: 'src/orders/plan/decide/count-to-print.ts',
        find: 'Math.max(0, leftToFulfill - onTheWay)',
        replace: 'Math.max(0, leftToFulfill)',
      },
    ],
    nets: [{ net: seedsFrom(1), says: DUPLICATED }],
  },
  {
    name: 'error-500-made-nothing',
    off: 'A create request that got a 500 response counts as one that created nothing.',
    edits: [
      {
        file: 'src/print/http/to-print-error.ts',
        find: "if (kind === 'create') return CREATE_REFUSAL_STATUSES",
        replace:
          "if (kind === 'create' && status >= 500) return 'nothing_made';\n  if (kind === 'create') return CREATE_REFUSAL_STATUSES",
      },
    ],
    nets: [{ net: seedsFrom(13), says: DUPLICATED }],
  },
  {
    name: 'empty-search-is-absent',
    off: 'A search with an empty result counts as proof that the order is absent.',
    edits: [
      {
        file: `${SUBMIT}/submit-direct.ts`,
        find: 'const shown = await searchWithControls(scope);',
        replace: "const shown = 'control' as 'control' | 'itself' | 'nothing';",
      },
    ],
    nets: [{ net: seedsFrom(5), says: DUPLICATED }],
  },
  {
    name: 'claim-not-on-disk',
    off: 'The claim of a send is committed without waiting for the disk.',
    edits: [
      {
        file: 'src/orders/rows/write-order-rows.ts',
        find: "set_config('synchronous_commit', 'on', true)",
        replace: "set_config('synchronous_commit', 'off', true)",
      },
    ],
    nets: [{ net: seedsFrom(5), says: /forgotten|overprinted/ }],
  },
  {
    name: 'claims-of-a-push-not-compared',
    off: 'Two workers may both claim the push of one order.',
    edits: [
      {
        file: 'src/shipments/create-fulfillment-once.ts',
        find: 'if (toSignature(current) !== toSignature(rows)) return null;',
        replace: '',
      },
    ],
    nets: [
      {
        net: {
          kind: 'test',
          file: 'test/shipments/push-fulfillments.test.ts',
          title: 'two workers that claim simultaneously create one fulfillment',
        },
        says: /to deeply equal/,
      },
    ],
  },
  {
    name: 'deliveries-not-unique',
    off: 'A repeated delivery is stored again, with a second job.',
    edits: [
      {
        file: 'migrations/1795000000140-create-tables.ts',
        find: '  print_order_id bigint,\n  unique (source, shop_id, dedupe_key)\n',
        replace: '  print_order_id bigint\n',
      },
      {
        file: 'src/inbox/save-deliveries.ts',
        find: '  on conflict (source, shop_id, dedupe_key) do nothing\n  returning id, source',
        replace: '  returning id, source',
      },
    ],
    nets: [{ net: seedsFrom(1), says: /repeated/ }],
  },
  {
    name: 'no-spool',
    off: 'An event is not spooled to the disk while the database is unavailable.',
    edits: [
      {
        file: 'src/http/callbacks/print-webhooks.ts',
        find: 'await spool.append(arrival);',
        replace: "throw new Error('there is no spool');",
      },
    ],
    nets: [{ net: seedsFrom(1), says: /refused/ }],
  },
];
