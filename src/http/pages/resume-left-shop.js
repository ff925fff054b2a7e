/** Runs on the page that asks whether to use Platen again. App Bridge adds the session token to the request. */
const button = document.querySelector('button');
const result = document.querySelector('[role=status]');
const MAX_MS = 60_000;
button.disabled = false;

async function resumeShop() {
  button.disabled = true;
  result.textContent = button.dataset.wait;
  try {
    const answer = await window.fetch('/api/take-up', { method: 'POST', signal: AbortSignal.timeout(MAX_MS) });
    if (!answer.ok) throw new Error(`The app responded with ${answer.status}.`);
    window.location.reload();
  } catch {
    result.textContent = button.dataset.failed;
    button.disabled = false;
  }
}

button.addEventListener('click', () => void resumeShop());
