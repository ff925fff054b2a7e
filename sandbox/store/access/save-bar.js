// Part of the stand-in for App Bridge.
/** The admin's save bar. It appears when a form with `data-save-bar` changes, and disappears when the form is submitted or reset. */
window.shopify.saveBar = (() => {
  let bar = null;
  let dialog = null;
  let form = null;
  let settle = null;
  const createBar = () => {
    bar = document.createElement('div');
    const root = bar.attachShadow({ mode: 'open' });
    root.innerHTML = `<style>
      :host { position: sticky; inset-block-start: 0; z-index: 10; display: block; } .bar { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; padding: .5rem 1rem; background: #1a1a1a; color: #fff; font: 14px/20px system-ui, sans-serif; }
      .bar span { flex: 1; } button { font: inherit; min-block-size: 2rem; padding: .25rem .75rem; border: 1px solid #8a8a8a; border-radius: .5rem; background: #303030; color: #fff; cursor: pointer; }
      button.primary { background: #fff; color: #1a1a1a; } dialog { border: 0; border-radius: 1rem; padding: 1rem; font: 14px/20px system-ui, sans-serif; }
    </style>
    <div class="bar" role="region" aria-label="Unsaved changes"><span>Unsaved changes</span><button type="button" data-act="discard">Discard</button><button type="button" class="primary" data-act="save">Save</button></div>
    <dialog aria-labelledby="title"><h2 id="title">Leave page with unsaved changes?</h2><p>Leaving this page will delete all unsaved changes.</p><button type="button" data-act="stay">Stay</button> <button type="button" class="primary" data-act="leave">Leave page</button></dialog>`;
    dialog = root.querySelector('dialog');
    root.addEventListener('click', (event) => acts[event.target.dataset?.act]?.());
  };
  const show = (changed) => {
    if (bar === null) createBar();
    form = changed;
    // The bar must not move while one of its buttons is being pressed, because the click would be lost.
    if (!bar.isConnected) document.body.prepend(bar);
  };
  const hide = () => {
    form = null;
    bar?.remove();
  };
  const acts = {
    save: () => form.requestSubmit(),
    discard: () => form.reset(),
    stay: () => dialog.close(),
    leave: () => {
      settle?.();
      hide();
      dialog.close();
    },
  };
  const formOf = (event) => (event.target instanceof Element ? event.target.closest('[data-save-bar]') : null);
  for (const type of ['input', 'change'])
    document.addEventListener(type, (event) => {
      const changed = formOf(event);
      if (changed && !(changed instanceof HTMLFormElement))
        return window.reportError(new Error('App Bridge: data-save-bar belongs on a <form>.'));
      if (changed) show(changed);
    });
  // Hides the bar on every submit, even if saving then fails: in that case, the page marks the form as changed again.
  for (const type of ['submit', 'reset'])
    document.addEventListener(type, (event) => {
      if (event.target === form) hide();
    });
  window.addEventListener('beforeunload', (event) => {
    if (form?.isConnected) event.preventDefault();
  });
  return {
    /** Resolves when the merchant chooses to leave the form. While the merchant stays, the promise remains pending. */
    leaveConfirmation: () => {
      if (!form?.isConnected) return Promise.resolve(hide());
      const left = Promise.withResolvers();
      settle = left.resolve;
      dialog.showModal();
      return left.promise;
    },
  };
})();
