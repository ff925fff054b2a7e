// The forms of the first page. App Bridge puts the session token on every request to this app.

const NO_ANSWER = 'Platen did not answer. Reload the page to see what was kept, then try again.';
const TOO_SLOW = 'Platen took too long to answer. Reload the page to see what was kept, then try again.';
const FAULT = 'That did not work here. Reload the page to see what was kept, then try again.';
const LONGEST_MS = 60_000;
/** The second press of a double click comes within this. */
const DOUBLE_CLICK_MS = 700;
/** Orders that a question names. */
const MOST_NAMED = 10;

/** Asks the app's API. Resolves to its answer, or to `{ error }` in its own words; never rejects. */
async function ask(method, path, body) {
  const signal = AbortSignal.timeout(LONGEST_MS);
  try {
    const headers = { 'Content-Type': 'application/json' };
    const answer = await window.fetch(path, { method, headers, signal, ...(body && { body: JSON.stringify(body) }) });
    const value = await answer.json();
    if (answer.ok) return value;
    return { error: value.error ?? { code: 'unknown', message: NO_ANSWER } };
  } catch {
    return { error: { code: 'no_answer', message: signal.aborted ? TOO_SLOW : NO_ANSWER } };
  }
}

/** Has the store ask the merchant for permissions. `message` is for when they were not given. */
async function requestScopes(scopes) {
  const names = scopes.join(', ');
  try {
    const { result } = await window.shopify.scopes.request(scopes);
    return { given: result === 'granted-all', message: `The store did not give the permission ${names}.` };
  } catch {
    return { given: false, message: `The store could not be asked for the permission ${names}.` };
  }
}

/** A change of settings; when it needs a permission, the store asks the merchant for it and the change is sent again. */
async function change(settings) {
  const first = await ask('PUT', '/api/settings', settings);
  if (first.error?.code !== 'scope_needed') return first;
  const { field, scopes } = first.error;
  const answered = await requestScopes(scopes);
  const message = `${answered.message} This stays as it was.`;
  if (!answered.given) return { error: { code: 'scope_refused', field, message } };
  const second = await ask('PUT', '/api/settings', settings);
  return second.error?.code === 'scope_needed' ? { error: { ...second.error, message } } : second;
}

/** Puts the parts of the page that tell how things stand in place of those shown. */
async function refresh(address) {
  const answer = await window.fetch(address, { signal: AbortSignal.timeout(LONGEST_MS) });
  if (!answer.ok) throw new Error('The page could not be read again.');
  const read = new DOMParser().parseFromString(await answer.text(), 'text/html');
  for (const part of document.querySelectorAll('[data-part]')) {
    const fresh = read.getElementById(part.id);
    if (fresh) replace(part, document.importNode(fresh, true));
  }
  enableControls();
  showTimes();
}

/** The keyboard stays on the same button or link if it is still there, else it goes to the heading of its part. */
function replace(part, fresh) {
  const focused = document.activeElement;
  const isInside = part.contains(focused);
  part.replaceWith(fresh);
  if (!isInside) return;
  const same = [...fresh.querySelectorAll('a, button')].find((one) => one.isEqualNode(focused));
  (same ?? fresh.querySelector('h2'))?.focus();
}

/** This page's address without the token that it was opened with; paging changes it. */
function ownAddress() {
  const parameters = new URLSearchParams(window.location.search);
  const kept = ['embedded', 'shop', 'host', 'cursor'].filter((name) => parameters.has(name));
  return `/?${new URLSearchParams(kept.map((name) => [name, parameters.get(name)]))}`;
}

function showTimes() {
  for (const time of document.querySelectorAll('time[datetime]')) {
    const moment = new Date(time.dateTime);
    time.textContent = moment.toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' });
  }
}

/** They are disabled until this script can answer them. */
function enableControls() {
  for (const control of document.querySelectorAll('[type=submit], [type=checkbox]')) control.disabled = false;
}

function sayResult(form, text) {
  form.querySelector('[data-result]').textContent = text;
}

/** An error of the form's own field stands beside it, another one below the form. */
function sayError(form, error) {
  const input = form.elements.namedItem(form.dataset.setting ?? '');
  const place = form.querySelector('[data-error]');
  const isOfInput = input !== null && Boolean(error?.field?.startsWith(input.name));
  if (place) place.textContent = isOfInput ? error.message : '';
  input?.removeAttribute('aria-invalid');
  if (isOfInput) {
    input.setAttribute('aria-invalid', 'true');
    input.focus();
  }
  sayResult(form, error !== null && !isOfInput ? error.message : '');
}

/** Runs one change of a form at a time; its button stays where the keyboard is. */
async function runOnce(form, run) {
  if (form.dataset.running) return;
  const button = form.querySelector('[type=submit]');
  form.dataset.running = 'yes';
  button?.setAttribute('aria-disabled', 'true');
  sayError(form, null);
  sayResult(form, form.dataset.busy ?? 'One moment…');
  try {
    await run();
  } catch (error) {
    sayResult(form, FAULT);
    window.reportError(error);
  } finally {
    delete form.dataset.running;
    button?.removeAttribute('aria-disabled');
  }
}

function readSetting(input) {
  if (input.type === 'checkbox') return input.checked;
  // The day begins where the reader is.
  if (input.type === 'date') return new Date(`${input.value}T00:00`).toISOString();
  return input.value;
}

/** Whether the day is not an earlier one, or the button was pressed a second time for it: orders that are there already are printed. */
async function isAgreed(form, input) {
  if (input.value >= input.defaultValue || endQuestion(form)) return true;
  const day = new Date(`${input.value}T00:00`).toLocaleDateString([], { dateStyle: 'long' });
  const question = `Orders placed since ${day} that are paid and not yet fulfilled will be printed, at once. Press again if you want that.`;
  await askAgain(form, question, 'Yes, print these orders');
  return false;
}

/** Asks before something is done: the next press of the same button does it. */
async function askAgain(form, question, yes) {
  const button = form.querySelector('[type=submit]');
  form.dataset.asked = button.textContent;
  button.textContent = yes;
  sayResult(form, question);
  await pause(DOUBLE_CLICK_MS);
}

/** Returns whether a question was asked; another day ends it. */
function endQuestion(form) {
  if (!form.dataset.asked) return false;
  form.querySelector('[type=submit]').textContent = form.dataset.asked;
  delete form.dataset.asked;
  return true;
}

function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

async function sendSetting(form) {
  const input = form.elements.namedItem(form.dataset.setting);
  if (input.type === 'date' && input.value === input.defaultValue) return sayResult(form, 'This is the day already.');
  if (input.type === 'date' && !(await isAgreed(form, input))) return;
  const { error } = await change({ [input.name]: readSetting(input) });
  if (error) {
    if (input.type === 'checkbox') input.checked = !input.checked;
    if (error.code === 'scope_refused' && input.type === 'date') input.value = input.defaultValue;
    return sayError(form, error);
  }
  if (input.type === 'password') input.value = '';
  if (input.type === 'date') input.defaultValue = input.value;
  sayResult(form, form.dataset.done);
  await refresh(ownAddress()).catch(() => undefined);
}

/** What is asked before an act: as the page has it, or the orders that a dry run names. */
async function findQuestion(form, path, asked) {
  if (!form.dataset.preview) return { question: form.dataset.question };
  const { error, orders, found } = await ask('POST', path, { ...asked, dryRun: true });
  if (error) return { error };
  const named = found.slice(0, MOST_NAMED).map(({ name }) => name);
  const more = orders - named.length;
  const list = more > 0 ? `${named.join(', ')} and ${more} more` : named.join(', ');
  const question = `These orders are planned again and go to print if nothing else holds them: ${list}. Press again to confirm.`;
  return { question };
}

/** An act of its own, by a form that has nothing to enter; with `data-yes`, a second press confirms it. */
async function act(form) {
  const { act: path, body = '{}', yes, done, leads } = form.dataset;
  const asked = JSON.parse(body);
  if (yes && !endQuestion(form)) {
    const { error, question } = await findQuestion(form, path, asked);
    return error ? sayError(form, error) : askAgain(form, question, yes);
  }
  const answer = await ask('POST', path, asked);
  if (answer.error) return sayError(form, answer.error);
  sayResult(form, done);
  if (leads) return window.location.assign(ownAddress());
  await refresh(ownAddress()).catch(() => undefined);
}

async function makeAddress(form) {
  const answer = await ask('POST', '/api/settings/print-webhook');
  if (answer.error) return sayError(form, answer.error);
  form.querySelector('[data-shown-once]').hidden = false;
  form.querySelector('#address').value = answer.url;
  sayResult(
    form,
    answer.registered
      ? 'The new address was made, and the print service was told of it. If another is made later, this one works for a day more.'
      : 'The new address was made. Copy it now. If another is made later, this one works for a day more.',
  );
  await refresh(ownAddress()).catch(() => undefined);
}

async function copy(input) {
  input.select();
  const isCopied = await navigator.clipboard.writeText(input.value).then(
    () => true,
    () => document.execCommand('copy'),
  );
  sayResult(input.form, isCopied ? 'Copied.' : 'It could not be copied: it is selected, press Ctrl+C or ⌘C.');
}

function resultOf(button) {
  return button.parentElement.querySelector('[data-button-result]');
}

/** A permission that was taken back; the store tells the app a moment after the merchant has given it. */
async function grant(button) {
  const scope = button.dataset.grant;
  const { given, message } = await requestScopes([scope]);
  const say = (text) => {
    const shown = document.querySelector(`[data-grant="${scope}"]`);
    if (shown) resultOf(shown).textContent = text;
    return shown !== null;
  };
  say(given ? 'One moment…' : message);
  for (let tries = 0; given && tries < 5; tries += 1) {
    await pause(1000);
    await refresh(ownAddress()).catch(() => undefined);
    if (!say('One moment…')) return;
  }
  if (given) say('The permission was given, and Platen has not heard of it yet. Reload the page in a minute.');
}

/** The file of a customer's data, asked for with the session token: a plain link would go without one. */
async function download(button) {
  const result = resultOf(button);
  try {
    const signal = AbortSignal.timeout(LONGEST_MS);
    const answer = await window.fetch(`/api/privacy-requests/${button.dataset.export}/export`, { signal });
    if (!answer.ok) throw new Error('It was refused.');
    const link = document.createElement('a');
    link.href = URL.createObjectURL(await answer.blob());
    link.download = `customer-data-${button.dataset.export}.json`;
    link.click();
    result.textContent = '';
  } catch {
    result.textContent = 'The file could not be read. Try again.';
  }
}

document.addEventListener('submit', (event) => {
  event.preventDefault();
  const form = event.target;
  void runOnce(form, () => {
    if ('act' in form.dataset) return act(form);
    return 'address' in form.dataset ? makeAddress(form) : sendSetting(form);
  });
});

document.addEventListener('change', ({ target }) => {
  if (target.type !== 'checkbox') return;
  if (target.form.dataset.running) target.checked = !target.checked;
  else void runOnce(target.form, () => sendSetting(target.form));
});

document.addEventListener('input', ({ target }) => {
  if (target.type === 'date' && endQuestion(target.form)) sayResult(target.form, '');
});

document.addEventListener('click', (event) => {
  if (event.target.dataset.copy) void copy(document.getElementById(event.target.dataset.copy));
  if (event.target.dataset.export) void download(event.target);
  if (event.target.dataset.grant) void grant(event.target);
  const link = event.target.closest('a[data-page]');
  if (!link) return;
  event.preventDefault();
  window.history.replaceState(null, '', link.href);
  refresh(link.href).then(
    () => document.getElementById('held-orders-title').focus(),
    () => window.location.assign(link.href),
  );
});

enableControls();
for (const input of document.querySelectorAll('input[type=date]')) {
  // The day as the reader's calendar has it; sv is written as YYYY-MM-DD.
  input.defaultValue = new Date(input.dataset.moment).toLocaleDateString('sv');
}
showTimes();
