// Part of the stand-in for App Bridge.
/** The resource picker: a dialog of the admin in which the merchant chooses products or variants of the store. */
const OPTIONS = ['type', 'action', 'filter', 'multiple', 'query', 'selectionIds'];
const TYPES = ['product', 'variant'];
const SEARCH_MS = 200;
const scriptUrl = new URL(document.currentScript.src);

function refuseOptions(options) {
  const unknown = Object.keys(options).find((name) => !OPTIONS.includes(name));
  if (unknown) throw new TypeError(`The resource picker has no option "${unknown}".`);
  if (!TYPES.includes(options.type))
    throw new TypeError(`The stand-in's resource picker has no type "${options.type}".`);
  if (![undefined, 'add', 'select'].includes(options.action))
    throw new TypeError('The action of the resource picker is "add" or "select".');
}

async function listResources(type, query) {
  const address = `${scriptUrl.origin}/${window.shopify.config.shop}/admin/app-bridge/resources`;
  const answer = await window.fetch(`${address}?${new URLSearchParams({ type, query })}`);
  if (!answer.ok) throw new Error('The store did not list its products.');
  return (await answer.json()).resources;
}

const nameOf = (resource) => resource.displayName ?? resource.title;

function createDialog(action) {
  const host = document.createElement('div');
  const root = host.attachShadow({ mode: 'open' });
  const word = action === 'select' ? 'Select' : 'Add';
  root.innerHTML = `<style>
    dialog { border: 0; border-radius: 1rem; padding: 1rem; inline-size: min(36rem, calc(100vw - 2rem)); box-sizing: border-box; max-block-size: calc(100vh - 2rem); font: 13px/20px sans-serif; background: Canvas; color: CanvasText; }
    form { display: flex; flex-direction: column; gap: .75rem; } h2 { margin: 0; font-size: 1rem; } input[type=search] { font: inherit; padding: .375rem .5rem; inline-size: 100%; box-sizing: border-box; }
    fieldset { border: 0; margin: 0; padding: 0; max-block-size: 50vh; overflow: auto; } fieldset label { display: flex; gap: .5rem; padding: .375rem 0; overflow-wrap: anywhere; } footer { display: flex; gap: .5rem; justify-content: flex-end; } p { margin: 0; }
  </style>
  <dialog aria-labelledby="title"><form method="dialog"><h2 id="title">${word} a resource</h2>
    <label>Search the store<input type="search" /></label>
    <fieldset><legend hidden>Results</legend></fieldset><p role="status"></p>
    <footer><button type="button" value="cancel">Cancel</button><button value="choose">${word}</button></footer></form></dialog>`;
  return { host, root, find: (selector) => root.querySelector(selector) };
}

/** Resolves with the chosen resources, or with undefined if the merchant closes the dialog. */
window.shopify.resourcePicker = async (options) => {
  refuseOptions(options);
  const { host, root, find } = createDialog(options.action ?? 'add');
  const chosen = new Map();
  const mostChosen = options.multiple === true ? Infinity : Number(options.multiple || 1);
  let turn = 0;
  const show = async () => {
    const mine = (turn += 1);
    const filter = [options.filter?.query ?? '', find('input[type=search]').value].join(' ').trim();
    const resources = await listResources(options.type, filter);
    if (mine !== turn) return;
    const rows = resources.map((resource) => {
      const row = document.createElement('label');
      const input = Object.assign(document.createElement('input'), {
        type: mostChosen > 1 ? 'checkbox' : 'radio',
        name: 'resource',
      });
      input.checked = chosen.has(resource.id);
      input.onchange = () => {
        if (mostChosen === 1) chosen.clear();
        if (input.checked) chosen.set(resource.id, resource);
        else chosen.delete(resource.id);
      };
      const words = document.createElement('span');
      words.textContent = resource.sku ? `${nameOf(resource)} (${resource.sku})` : nameOf(resource);
      row.append(input, words);
      return row;
    });
    find('fieldset').replaceChildren(...rows);
    find('p').textContent = rows.length === 0 ? 'Nothing was found.' : '';
  };
  let timer;
  find('input[type=search]').value = options.query ?? '';
  find('input[type=search]').oninput = () => {
    clearTimeout(timer);
    timer = setTimeout(() => void show(), SEARCH_MS);
  };
  find('button[value=cancel]').onclick = () => find('dialog').close();
  document.body.append(host);
  find('dialog').showModal();
  await show();
  return new Promise((resolve) => {
    root.querySelector('dialog').onclose = (event) => {
      host.remove();
      const isChosen = event.target.returnValue === 'choose' && chosen.size > 0;
      const selection = [...chosen.values()].slice(0, mostChosen);
      resolve(isChosen ? Object.assign(selection, { selection }) : undefined);
    };
  });
};
