// Keeps the site on this machine: a service worker answers from its copies, so that every page opens without a network.
// A newer version is fetched beside the one that is shown, which stays until the reader says otherwise.

const workers = navigator.serviceWorker;
const { dataset } = document.documentElement;

const whenIdle = () =>
  new Promise((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(resolve, { timeout: 10_000 });
    else setTimeout(resolve, 2_000);
  });

const offer = ({ waiting, active }) => {
  // The first version of all takes its place unasked, and one notice is enough.
  if (!waiting || !active || document.querySelector('.new-version')) return;
  const notice = document.createElement('p');
  notice.className = 'new-version';
  notice.setAttribute('role', 'status');
  document.body.append(notice);
  const button = Object.assign(document.createElement('button'), { type: 'button', textContent: 'Reload' });
  button.addEventListener('click', () => {
    // In another tab the reader may have said so already.
    if (waiting.state === 'activated') location.reload();
    workers.addEventListener('controllerchange', () => location.reload(), { once: true });
    waiting.postMessage('take over');
  });
  notice.append('A new version is there. ', button);
};

const begin = async () => {
  if (document.readyState !== 'complete') await new Promise((loaded) => addEventListener('load', loaded));
  await whenIdle();
  const registration = await workers.register('./sw.js', { updateViaCache: 'none' });
  offer(registration);
  registration.addEventListener('updatefound', () => {
    registration.installing?.addEventListener('statechange', () => offer(registration));
  });
  workers.addEventListener('message', ({ data }) => {
    if (data === 'everything is kept') dataset.offline = 'ready';
  });
  const { active } = await workers.ready;
  await whenIdle();
  if (!navigator.connection?.saveData) active.postMessage('keep the rest');
};

// Browsers have service workers only where the connection is secure. An embedded part leaves all this to its page.
if (workers && dataset.embed === undefined) {
  // A browser may refuse to keep anything: then the site is there as long as the network is.
  begin().catch(() => {});
}
