import { useEffect, useRef, useState } from 'preact/hooks';
import { navigate } from '../../router.ts';
import { readStored, writeStored } from '../../storage.ts';
import { texts } from '../../texts/texts.ts';

/** Filters that are saved under a name in this browser. */
interface View {
  name: string;
  query: string;
}

/** The key contains the shop, because a browser may be signed in to several shops. */
const toStorageKey = (shop: string): string => `platen-order-views ${shop}`;
const MAX_VIEWS = 20;
const FIXED_VIEWS: readonly (readonly [name: () => string, query: string])[] = [
  [() => texts.orders.allOrders, ''],
  [() => texts.states.held, 'state=held'],
  [() => texts.states.printing, 'state=printing'],
];

/** The views of the order list: the fixed ones first, then the saved ones. */
export function SavedViews({ filters, shop }: { filters: URLSearchParams; shop: string }) {
  const [views, setViews] = useState<View[]>([]);
  // The server cannot read this browser's storage, so the first render must show only the fixed views on both sides.
  useEffect(() => setViews(readViews(shop)), [shop]);
  const query = filters.toString();
  const saveViews = (next: View[]): void => {
    setViews(next);
    writeStored(toStorageKey(shop), JSON.stringify(next));
  };
  const fixed = FIXED_VIEWS.map(([name, its]) => ({ name: name(), query: its }));
  const isSaved = [...fixed, ...views].some((view) => view.query === query);
  const currentView = views.find((view) => view.query === query);
  return (
    <s-stack direction="inline" gap="small-100" alignItems="center">
      {[...fixed, ...views].map((view) => (
        <s-press-button
          key={`${view.name} ${view.query}`}
          pressed={view.query === query}
          onClick={() => navigate(`/orders?${view.query}`)}
        >
          {view.name}
        </s-press-button>
      ))}
      {!isSaved && views.length < MAX_VIEWS && (
        <SaveViewButton
          taken={fixed.map((view) => view.name)}
          onSave={(name) => saveViews([...views.filter((one) => one.name !== name), { name, query }])}
        />
      )}
      {currentView && (
        <s-button
          variant="tertiary"
          tone="critical"
          onClick={() => saveViews(views.filter((one) => one !== currentView))}
        >
          {texts.orders.deleteView}
        </s-button>
      )}
    </s-stack>
  );
}

function SaveViewButton({ taken, onSave }: { taken: readonly string[]; onSave: (name: string) => void }) {
  const [name, setName] = useState('');
  const modal = useRef<HTMLElementTagNameMap['s-modal']>(null);
  const isTaken = taken.some((one) => one.toLowerCase() === name.trim().toLowerCase());
  const canSave = name.trim() !== '' && !isTaken;
  const save = (): void => {
    if (!canSave) return;
    modal.current?.hideOverlay();
    onSave(name.trim());
  };
  return (
    <>
      <s-button commandFor="save-view" command="--show" variant="tertiary">
        {texts.orders.saveView}
      </s-button>
      <s-modal id="save-view" heading={texts.orders.saveView} size="small" ref={modal}>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            save();
          }}
        >
          <s-text-field
            label={texts.orders.viewName}
            value={name}
            maxLength={40}
            error={isTaken ? texts.orders.viewTaken : ''}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </form>
        <s-button slot="secondary-actions" commandFor="save-view" command="--hide">
          {texts.app.close}
        </s-button>
        <s-button slot="primary-action" variant="primary" disabled={!canSave} onClick={save}>
          {texts.app.save}
        </s-button>
      </s-modal>
    </>
  );
}

/** Reads the saved views. Ignores invalid data, because another version may have stored it. */
function readViews(shop: string): View[] {
  try {
    const stored = JSON.parse(readStored(toStorageKey(shop)) ?? '[]') as View[];
    return stored
      .filter(({ name, query }) => typeof name === 'string' && typeof query === 'string')
      .slice(0, MAX_VIEWS);
  } catch {
    return [];
  }
}
