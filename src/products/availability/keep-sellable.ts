import { In } from 'typeorm';
import { ProductStocks } from '../../database/entities/products.ts';
import { decideSellable, type SellableStep } from './decide-sellable.ts';
import { findShippingRegions } from '../location/find-shipping-regions.ts';
import { hideVariants } from './hide-variants.ts';
import { judgeStock, type ShippingRegions } from './judge-stock.ts';
import type { DueVariant, KeepScope } from '../kept-variants/keep-scope.ts';
import type { Look } from '../kept-variants/look-at-variants.ts';
import { readStock } from './read-stock.ts';
import { restoreVariants, type ToRestore } from './restore-variants.ts';
import { settleSellable, toUntouched, type SellableOutcome } from './save-sellable.ts';
import { sayOfStock, type StockNote } from './stock-notes.ts';

type DueLook = Look<DueVariant>;

/** A variant with its next step, and the note that applies while the variant is sellable. */
interface Decided {
  look: DueLook;
  note: StockNote;
  step: SellableStep;
}

/** Makes variants unsellable if they cannot be delivered, and restores the others. Processes one page of variants. Throws ShopifyError. */
export async function keepSellable(scope: KeepScope, looks: readonly DueLook[]): Promise<void> {
  if (!scope.granted.hides) return sayNoPermission(scope, looks);
  const decided = await decideAll(scope, looks);
  const of = (step: SellableStep) => decided.filter((one) => one.step === step);
  const toChange = [...of('hide'), ...of('restore')];
  const settled = decided.filter((one) => !toChange.includes(one));
  await settleSellable(scope, settled.map(toSettled));
  const stockOf = await readStock(
    scope,
    toChange.map(({ look }) => look),
  );
  const own = of('hide').filter(({ look }) => stockOf(look).isElsewhere);
  const note = sayOfStock('own_stock');
  const untouched = own.filter(({ look }) => look.row.found === null);
  await settleSellable(
    scope,
    untouched.map(({ look }) => toUntouched(look, note)),
  );
  // If stock has appeared elsewhere since an unfinished attempt, that attempt is undone.
  const begun = own.map((one) => ({ ...one, note }));
  await restoreVariants(scope, [...of('restore'), ...begun].flatMap(withFound), stockOf);
  const free = of('hide').filter((one) => !own.includes(one));
  await hideVariants(
    scope,
    free.map(({ look }) => look),
    stockOf,
  );
}

function withFound({ look, note }: Decided): ToRestore[] {
  return look.row.found === null ? [] : [{ look, note, found: look.row.found }];
}

/** Without the permission, variants that are already unsellable cannot be restored. */
async function sayNoPermission(scope: KeepScope, looks: readonly DueLook[]): Promise<void> {
  const set = looks.filter(({ row }) => row.found !== null);
  const note = sayOfStock('no_permission');
  await settleSellable(
    scope,
    set.map(({ variant: { id }, row: { found, hiddenAt } }) => ({ id, found, hiddenAt, note })),
  );
}

async function decideAll({ app, shop, aims }: KeepScope, looks: readonly DueLook[]): Promise<Decided[]> {
  const uids = new Set(looks.flatMap(uidsOf));
  const isWanted = aims.hides && uids.size > 0;
  const where = { shopId: shop.id, productUid: In([...uids]) };
  const facts = isWanted ? await app.db.manager.findBy(ProductStocks, where) : [];
  const regions: ShippingRegions = isWanted ? await findShippingRegions(app, shop) : { places: [], are: 'reported' };
  return looks.map((look) => {
    const verdict = judgeStock(uidsOf(look), facts, regions);
    const isToHide = aims.hides && look.isPrinted && verdict.kind === 'undeliverable';
    const { inventoryPolicy, inventoryItem } = look.variant;
    const { found, hiddenAt, stockNote } = look.row;
    const wasChanged = stockNote?.code === 'changed';
    const { isStocked } = look;
    const state = { isStocked, tracked: inventoryItem.tracked, inventoryPolicy, found, hiddenAt, wasChanged };
    const note = aims.hides && look.isPrinted && verdict.kind !== 'undeliverable' ? verdict.note : null;
    return { look, note, step: decideSellable({ ...state, isToHide }) };
  });
}

/** Returns the outcome for a variant that stays unchanged in the store. */
function toSettled({ look, note, step }: Decided): SellableOutcome {
  if (step === 'changed' || step === 'not_at_location' || step === 'tracked_by_merchant')
    return toUntouched(look, sayOfStock(step));
  const { found, hiddenAt } = look.row;
  return found === null
    ? toUntouched(look, note)
    : { id: look.variant.id, found, hiddenAt, note: sayOfStock('unsellable') };
}

function uidsOf({ link }: DueLook): string[] {
  return [link?.productUid, link?.envelopeProductUid].filter((uid) => typeof uid === 'string');
}
