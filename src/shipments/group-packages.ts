/** An item in one part of a print order. */
export interface ItemNode {
  /**
   * The connected part that contains the item. An item reference alone is not unique, because the parts of one order share item references.
   */
  serviceOrderId: string;
  itemReferenceId: string;
}

/** One part's tracking code, with the references of its items. */
export interface PackageNode {
  serviceOrderId: string;
  trackingCode: string;
  itemReferenceIds: readonly string[];
}

/** Items and packages that must go into the same fulfillment. */
export interface PackageGroup<Item extends ItemNode, Parcel extends PackageNode> {
  items: Item[];
  packages: Parcel[];
}

/** Returns a key that identifies an item among all parts. */
export function itemKey({ serviceOrderId, itemReferenceId }: ItemNode): string {
  return JSON.stringify([serviceOrderId, itemReferenceId]);
}

/**
 * Finds the connected components in the graph of one print order's items and tracking codes. Each component becomes one fulfillment with
 * all its codes (docs/rules/planning.md#fulfillments). A code is a single node for all parts that have it. Items missing from `items`
 * connect nothing. The order of the input does not matter.
 */
export function groupPackages<Item extends ItemNode, Parcel extends PackageNode>(
  items: readonly Item[],
  packages: readonly Parcel[],
): PackageGroup<Item, Parcel>[] {
  const sortedItems = items.toSorted(byText(itemKey));
  const sortedPackages = packages.toSorted(byText(({ trackingCode, ...part }) => packageKey(trackingCode, part)));
  const given = new Set(sortedItems.map(itemKey));
  const parents = new Map<string, string>();
  for (const { serviceOrderId, trackingCode, itemReferenceIds } of sortedPackages) {
    for (const itemReferenceId of itemReferenceIds) {
      const key = itemKey({ serviceOrderId, itemReferenceId });
      if (given.has(key)) parents.set(rootOf(parents, key), rootOf(parents, codeKey(trackingCode)));
    }
  }
  const groups = new Map<string, PackageGroup<Item, Parcel>>();
  const groupOf = (key: string): PackageGroup<Item, Parcel> => {
    const root = rootOf(parents, key);
    const group = groups.get(root) ?? { items: [], packages: [] };
    groups.set(root, group);
    return group;
  };
  for (const item of sortedItems) groupOf(itemKey(item)).items.push(item);
  for (const parcel of sortedPackages) groupOf(codeKey(parcel.trackingCode)).packages.push(parcel);
  return [...groups.values()];
}

function codeKey(trackingCode: string): string {
  return JSON.stringify([trackingCode]);
}

function packageKey(trackingCode: string, { serviceOrderId }: Omit<PackageNode, 'trackingCode'>): string {
  return JSON.stringify([trackingCode, serviceOrderId]);
}

/** Returns the representative of a node's set (union-find), and shortens the path to it. */
function rootOf(parents: Map<string, string>, key: string): string {
  let root = key;
  for (let parent = parents.get(root); parent !== undefined && parent !== root; parent = parents.get(root))
    root = parent;
  parents.set(key, root);
  return root;
}

function byText<Value>(textOf: (value: Value) => string): (a: Value, b: Value) => number {
  return (a, b) => {
    const [left, right] = [textOf(a), textOf(b)];
    return left < right ? -1 : Number(left > right);
  };
}
