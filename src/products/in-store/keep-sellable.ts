import { In } from 'typeorm';
import { ProductStocks } from '../../database/products.ts';
import type { VariantInStore } from '../../database/variants-in-store.ts';
import { readItemStock, setQuantities, updateVariants } from '../../shopify/stock-flags.ts';
import type { Complaint } from '../../shopify/stocking.ts';
import { decideSellable, type SellableStep } from './decide-sellable.ts';
import { findShippingRegions } from './find-shipping-regions.ts';
import { judgeStock } from './judge-stock.ts';
import type { DueVariant, KeepScope } from './keep-variants.ts';
import type { Look } from './look-at-variants.ts';
import { markFound, settleSellable } from './save-sellable.ts';

type DueLook = Look<DueVariant>;
type Note = { code: string; message: string } | null;
type Found = NonNullable<VariantInStore['found']>;

const SENTENCES = {
  not_at_location:
    "It cannot be delivered, and stays sellable: it is not stocked at Platen's location, so its stock is not Platen's to set.",
  tracked_by_merchant:
    'It cannot be delivered, and stays sellable: its stock is counted in the store, which is yours to do.',
  own_stock:
    'It cannot be delivered by the print service, and stays sellable: there is stock of it at another location.',
  changed: 'It was made unsellable, and somebody has changed that in the store: it is left as it is.',
  no_permission:
    'It was made unsellable, and the store no longer gives the permission write_products, without which it cannot be put back.',
  unsellable: 'It cannot be delivered to any region that the shop ships to.',
} as const;

const say = (code: keyof typeof SENTENCES) => ({ code, message: SENTENCES[code] });

/** Makes the variants of a page unsellable that cannot be delivered, and puts the others back as they were found. Throws ShopifyError. */
export async function keepSellable(scope: KeepScope, looks: readonly DueLook[]): Promise<void> {
  const { app, shop } = scope;
  if (!scope.mayHide) return sayNoPermission(scope, looks);
  const decided = await decideAll(scope, looks);
  const of = (step: SellableStep) => decided.filter((one) => one.step === step).map(({ look }) => look);
  const left = decided.filter(({ step }) => !['hide', 'restore', 'nothing'].includes(step));
  await settleSellable(
    app.db,
    shop,
    left.map(({ look, step }) => toOutcome(look, say(step as 'changed'))),
  );
  const same = decided.filter(({ step }) => step === 'nothing');
  const asItIs = same.map(({ look, note }) => {
    const { found } = look.row;
    return { ...toOutcome(look, found === null ? note : say('unsellable')), found, isHidden: found !== null };
  });
  await settleSellable(app.db, shop, asItIs);
  await restore(scope, of('restore'));
  await hide(scope, of('hide'));
}

/** What was set before the permission was taken back cannot be put back without it. */
async function sayNoPermission({ app, shop }: KeepScope, looks: readonly DueLook[]): Promise<void> {
  const set = looks.filter(({ row }) => row.found !== null);
  await settleSellable(
    app.db,
    shop,
    set.map(({ variant, row: { found, hiddenAt } }) => {
      return { id: variant.id, found, isHidden: hiddenAt !== null, note: say('no_permission') };
    }),
  );
}

async function decideAll({ app, shop, aims }: KeepScope, looks: readonly DueLook[]) {
  const uids = new Set(looks.flatMap(uidsOf));
  const isWanted = aims.hides && uids.size > 0;
  const where = { shopId: shop.id, productUid: In([...uids]) };
  const facts = isWanted ? await app.db.manager.findBy(ProductStocks, where) : [];
  const regions = await findShippingRegions(app, shop);
  return looks.map((look) => {
    const verdict = judgeStock(uidsOf(look), facts, regions);
    const isToHide = aims.hides && look.isPrinted && verdict.kind === 'undeliverable';
    const { inventoryPolicy, inventoryItem } = look.variant;
    const { found, hiddenAt } = look.row;
    const state = { isStocked: look.isStocked, tracked: inventoryItem.tracked, inventoryPolicy, found, hiddenAt };
    const note: Note = aims.hides && look.isPrinted && verdict.kind !== 'undeliverable' ? verdict.note : null;
    return { look, note, step: decideSellable({ ...state, isToHide }) };
  });
}

function uidsOf({ link }: DueLook): string[] {
  return [link?.productUid, link?.envelopeProductUid].filter((uid) => typeof uid === 'string');
}

/** The quantity first, which has no effect while nobody counts it; then it is counted, and not sold without stock. */
async function hide(scope: KeepScope, looks: readonly DueLook[]): Promise<void> {
  const { app, admin, shop } = scope;
  if (looks.length === 0 || shop.locationId === null) return;
  const stock = await readItemStock(admin, looks.map(itemOf), shop.locationId);
  const isOwn = (look: DueLook) => stock.get(itemOf(look))?.isElsewhere !== false;
  // What was begun is ended: what is elsewhere by now came after it.
  const own = looks.filter((look) => look.row.found === null && isOwn(look));
  await settleSellable(
    app.db,
    shop,
    own.map((look) => toOutcome(look, say('own_stock'))),
  );
  const ours = looks.filter((look) => !own.includes(look));
  const availableOf = (look: DueLook) => stock.get(itemOf(look))?.available ?? 0;
  const found = new Map(ours.map((look) => [look, look.row.found ?? toFound(look, availableOf(look))]));
  await markFound(
    app.db,
    shop,
    ours.map((look) => ({ id: look.variant.id, found: found.get(look) ?? null })),
  );
  const changes = ours
    .filter((look) => availableOf(look) !== 0)
    .map((look) => ({ inventoryItemId: itemOf(look), from: availableOf(look), to: 0 }));
  const unset = await setQuantities(admin, changes, shop.locationId);
  const toHide = ours.filter((look) => !unset.has(itemOf(look)));
  const refused = await updateVariants(
    admin,
    toHide.map(({ variant }) => toChange(variant, { tracked: true, inventoryPolicy: 'DENY' })),
  );
  await settleSellable(
    app.db,
    shop,
    ours.map((look) => {
      const complaint = unset.get(itemOf(look)) ?? refused.get(look.variant.id);
      if (complaint) return toOutcome(look, complaint);
      return { id: look.variant.id, found: found.get(look) ?? null, isHidden: true, note: say('unsellable') };
    }),
  );
}

/** Sold again first, then the quantity that was found; what somebody has changed meanwhile stays as it is. */
async function restore(scope: KeepScope, looks: readonly DueLook[]): Promise<void> {
  const { app, admin, shop } = scope;
  if (looks.length === 0) return;
  const refused = await updateVariants(admin, looks.flatMap(toRestored));
  const back = looks.filter(({ variant }) => !refused.has(variant.id));
  const changes = back.flatMap((look) => {
    const to = look.row.found?.available ?? 0;
    return to > 0 && look.isStocked ? [{ inventoryItemId: itemOf(look), from: 0, to }] : [];
  });
  // Refused where it is no longer what Platen set it to.
  if (shop.locationId !== null) await setQuantities(admin, changes, shop.locationId);
  await settleSellable(
    app.db,
    shop,
    looks.map((look) => {
      const complaint: Complaint | undefined = refused.get(look.variant.id);
      if (!complaint) return toOutcome(look, null);
      return { id: look.variant.id, found: look.row.found, isHidden: look.row.hiddenAt !== null, note: complaint };
    }),
  );
}

function toRestored({ variant, row: { found } }: DueLook) {
  const tracked = found && variant.inventoryItem.tracked !== found.tracked ? { tracked: found.tracked } : {};
  const isOurs = found && variant.inventoryPolicy === 'DENY' && found.inventoryPolicy !== 'DENY';
  const inventoryPolicy = isOurs ? { inventoryPolicy: found.inventoryPolicy } : {};
  const change = { ...tracked, ...inventoryPolicy };
  return Object.keys(change).length === 0 ? [] : [toChange(variant, change)];
}

function toChange(
  { id, product }: DueLook['variant'],
  change: { tracked?: boolean; inventoryPolicy?: Found['inventoryPolicy'] },
) {
  return { productId: product.id, variantId: id, ...change };
}

function toFound({ variant }: DueLook, available: number): Found {
  return { tracked: variant.inventoryItem.tracked, inventoryPolicy: variant.inventoryPolicy, available };
}

function itemOf({ variant }: DueLook): string {
  return variant.inventoryItem.id;
}

/** It is not hidden by Platen. */
function toOutcome({ variant }: DueLook, note: Note) {
  return { id: variant.id, found: null, isHidden: false, note };
}
