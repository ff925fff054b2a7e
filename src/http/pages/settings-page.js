// The first page's forms. App Bridge adds the session token to every request to this app.

const NO_ANSWER = 'Platen did not respond. Reload the page to see what was saved, then try again.';
const TOO_SLOW = 'Platen took too long to respond. Reload the page to see what was saved, then try again.';
const FAULT = 'Something went wrong. Reload the page to see what was saved, then try again.';
const LONGEST_MS = 60_000;
/** The second click of a double click follows within this time. */
const DOUBLE_CLICK_MS = 700;
/** The maximum number of orders that a question names. */
const MOST_NAMED = 10;

/** Calls the app's API. Resolves to the response, or to `{ error }` with a message. Never rejects. */
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

/** Has the store ask the merchant for permissions. `message` is shown if they were not granted. */
async function requestScopes(scopes) {
  const names = scopes.join(', ');
  try {
    const { result } = await window.shopify.scopes.request(scopes);
    return { given: result === 'granted-all', message: `The store did not grant the permission ${names}.` };
  } catch {
    return { given: false, message: `Platen could not ask the store for the permission ${names}.` };
  }
}

/** Changes settings. If a change needs a permission, the store asks the merchant for it, and the change is then sent again. */
async function change(settings) {
  const first = await ask('PUT', '/api/settings', settings);
  if (first.error?.code !== 'scope_needed') return first;
  const { field, scopes } = first.error;
  const answered = await requestScopes(scopes);
  const message = `${answered.message} The setting was not changed.`;
  if (!answered.given) return { error: { code: 'scope_refused', field, message } };
  const second = await ask('PUT', '/api/settings', settings);
  return second.error?.code === 'scope_needed' ? { error: { ...second.error, message } } : second;
}

/** Reloads the parts of the page that show the current state. */
async function refresh(address) {
  const answer = await window.fetch(address, { signal: AbortSignal.timeout(LONGEST_MS) });
  if (!answer.ok) throw new Error('The page could not be reloaded.');
  const read = new DOMParser().parseFromString(await answer.text(), 'text/html');
  for (const part of document.querySelectorAll('[data-part]')) {
    const fresh = read.getElementById(part.id);
    if (fresh) replace(part, document.importNode(fresh, true));
  }
  enableControls();
  showTimes();
}

/** Replaces a part. The focus stays on the same button or link if it still exists. Otherwise, it moves to the part's heading. */
function replace(part, fresh) {
  const focused = document.activeElement;
  const isInside = part.contains(focused);
  part.replaceWith(fresh);
  if (!isInside) return;
  const same = [...fresh.querySelectorAll('a, button')].find((one) => one.isEqualNode(focused));
  (same ?? fresh.querySelector('h2'))?.focus();
}

/** Returns this page's URL without the token with which it was opened. Paging changes the URL. */
function ownAddress() {
  const parameters = new URLSearchParams(window.location.search);
  const kept = ['embedded', 'shop', 'host', 'cursor'].filter((name) => parameters.has(name));
  return `${window.location.pathname}?${new URLSearchParams(kept.map((name) => [name, parameters.get(name)]))}`;
}

function showTimes() {
  for (const time of document.querySelectorAll('time[datetime]')) {
    const moment = new Date(time.dateTime);
    time.textContent = moment.toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' });
  }
}

/** Controls are disabled until this script can handle them. */
function enableControls() {
  for (const control of document.querySelectorAll('[type=submit], [type=checkbox]')) control.disabled = false;
}

function sayResult(form, text) {
  form.querySelector('[data-result]').textContent = text;
}

/** Shows an error about the form's own field next to the field, and any other error below the form. */
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

/** Runs one change per form at a time. The button is only marked as disabled, so that it keeps the focus. */
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
  // The day begins at midnight in the reader's time zone.
  if (input.type === 'date') return new Date(`${input.value}T00:00`).toISOString();
  return input.value;
}

/** With an earlier day, Platen prints existing orders, so the button must be pressed a second time. Returns whether to continue. */
async function isAgreed(form, input) {
  if (input.value >= input.defaultValue || endQuestion(form)) return true;
  const day = new Date(`${input.value}T00:00`).toLocaleDateString([], { dateStyle: 'long' });
  const question = `Orders placed since ${day} that are paid and not yet fulfilled will be printed right away. Press again to confirm.`;
  await askAgain(form, question, 'Yes, print these orders');
  return false;
}

/** Asks for confirmation. The next press of the same button confirms. */
async function askAgain(form, question, yes) {
  const button = form.querySelector('[type=submit]');
  form.dataset.asked = button.textContent;
  button.textContent = yes;
  sayResult(form, question);
  await pause(DOUBLE_CLICK_MS);
}

/** Ends the question and returns whether a question was open. Choosing another day also ends it. */
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
  if (input.type === 'date' && input.value === input.defaultValue) return sayResult(form, 'This day is already set.');
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

/** Returns the question before an action: the question in the page, or a question with the orders that a dry run finds. */
async function findQuestion(form, path, asked) {
  if (!form.dataset.preview) return { question: form.dataset.question };
  const { error, orders, found } = await ask('POST', path, { ...asked, dryRun: true });
  if (error) return { error };
  const named = found.slice(0, MOST_NAMED).map(({ name }) => name);
  const more = orders - named.length;
  const list = more > 0 ? `${named.join(', ')} and ${more} more` : named.join(', ');
  const question = `These orders will be planned again, and printed unless they are held for another reason: ${list}. Press again to confirm.`;
  return { question };
}

/** Performs the action of a form without inputs. With `data-yes`, a second press must confirm the action. */
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
      ? 'The new address was created and registered with the print service. If you create another address, this one works for one more day.'
      : 'The new address was created. Copy it now. If you create another address, this one works for one more day.',
  );
  await refresh(ownAddress()).catch(() => undefined);
}

async function copy(input) {
  input.select();
  const isCopied = await navigator.clipboard.writeText(input.value).then(
    () => true,
    () => document.execCommand('copy'),
  );
  sayResult(input.form, isCopied ? 'Copied.' : 'The address could not be copied. It is selected: press Ctrl+C or ⌘C.');
}

function resultOf(button) {
  return button.parentElement.querySelector('[data-button-result]');
}

/** Requests a revoked permission. The app receives the grant only shortly afterwards. */
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
  if (given) say('The permission was granted, but Platen has not been notified yet. Reload the page in a minute.');
}

/** Downloads a customer's data. A plain link would send no session token. */
async function download(button) {
  const result = resultOf(button);
  try {
    const signal = AbortSignal.timeout(LONGEST_MS);
    const answer = await window.fetch(`/api/privacy-requests/${button.dataset.export}/export`, { signal });
    if (!answer.ok) throw new Error('The download was refused.');
    const link = document.createElement('a');
    link.href = URL.createObjectURL(await answer.blob());
    link.download = `customer-data-${button.dataset.export}.json`;
    link.click();
    result.textContent = '';
  } catch {
    result.textContent = 'The file could not be downloaded. Try again.';
  }
}

/** The admin's navigation leads to other documents, which need the parameters of the admin's frame. */
document.addEventListener('shopify:navigate', (event) => {
  const [path] = event.target.getAttribute('href').split('?');
  window.location.assign(`${path}${ownAddress().slice(window.location.pathname.length)}`);
});

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
  // The day in the reader's time zone. The locale sv formats it as YYYY-MM-DD.
  input.defaultValue = new Date(input.dataset.moment).toLocaleDateString('sv');
}
showTimes();
