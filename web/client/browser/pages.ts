// The pages of these tests: a desk, an application, and a neighbour that would like to be the desk.

/** A desk with two windows, the neighbour beside the application: answers hellos as the contract says. */
export const desk = (app: string, neighbour: string): string => `<!doctype html><title>desk</title>
<iframe id="app" src="${app}"></iframe><iframe id="neighbour" src="${neighbour}"></iframe>
<script>
  const state = (window.state = { hellos: 0, titles: [], silent: false, ports: [] });
  window.start = (number) => ({
    type: 'start', gatewayUrl: 'ws://127.0.0.1:1/gw', gatewayToken: 'token-' + number, instanceId: 'i-1',
    application: 'app', startingContext: { n: number }, theme: 'light', style: { '--color-text-primary': '#111' },
  });
  addEventListener('message', ({ source, origin, data }) => {
    const frame = document.getElementById('app');
    if (source !== frame.contentWindow || origin !== new URL(frame.src).origin) return;
    if (data?.deskwire !== 1 || data.type !== 'hello' || state.silent) return;
    state.hellos += 1;
    for (const port of state.ports.splice(0)) port.close();
    const { port1, port2 } = new MessageChannel();
    state.ports.push(port1);
    port1.onmessage = ({ data }) => state.titles.push(data);
    source.postMessage({ deskwire: 1, type: 'port' }, origin, [port2]);
    port1.postMessage(window.start(state.hellos));
  });
</script>`;

/** An application: what it learns stands in `seen`. It waits for `go()`, so that a test can set the scene. */
export const app = (attributes = ''): string => `<!doctype html><title>app</title><script src="/deskwire.js" ${attributes}></script>
<script>
  window.seen = { themes: [] };
  window.go = () => deskwire.start().then(
    (session) => {
      seen.session = JSON.parse(JSON.stringify(session));
      session.onTheme((theme, style) => seen.themes.push({ theme, style }));
      session.setTitle('Title of ' + session.gatewayToken);
    },
    (error) => { seen.error = error.message; },
  );
  if (!location.search) go();
</script>`;

/** A window beside the application that sends it a port as if it were the desk. */
export const neighbour = `<!doctype html><title>neighbour</title>
<script>
  window.forge = () => {
    const { port1, port2 } = new MessageChannel();
    window.heard = [];
    port1.onmessage = ({ data }) => heard.push(data);
    parent.frames[0].postMessage({ deskwire: 1, type: 'port' }, '*', [port2]);
    port1.postMessage({ type: 'start', gatewayToken: 'forged', instanceId: 'forged' });
  };
</script>`;
