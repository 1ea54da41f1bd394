// A page that plays the desk: one frame over its whole width, and the answer to the page in it.

/** `show(url, start)` begins; `titles` has what the page called itself. */
export const FRAME = `<!doctype html><html lang="en"><title>Desk</title>
<style>html, body { height: 100%; margin: 0 } iframe { width: 100%; height: 100%; border: 0; display: block }</style>
<iframe title="Window"></iframe>
<script>
  window.titles = [];
  window.show = (url, start) => {
    const frame = document.querySelector('iframe');
    addEventListener('message', ({ source, origin, data }) => {
      if (source !== frame.contentWindow || origin !== new URL(url).origin || data?.deskwire !== 1 || data.type !== 'hello') return;
      window.port?.close();
      const { port1, port2 } = new MessageChannel();
      window.port = port1;
      port1.onmessage = ({ data }) => titles.push(data.title);
      source.postMessage({ deskwire: 1, type: 'port' }, origin, [port2]);
      port1.postMessage(start);
    });
    frame.src = url;
  };
</script></html>`;
