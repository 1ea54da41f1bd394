import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Options, Session } from '../src/index.ts';
import { START, arrive, channel, parent } from './desk.ts';

let start: (options?: Options) => Promise<Session>;

beforeEach(async () => {
  vi.resetModules(); // a page asks once, and each of these tests is a page
  ({ start } = await import('../src/starter.ts'));
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A page that has been started. */
async function begun(options?: Options) {
  const { around, said } = parent();
  const link = channel();
  const session = start(options);
  arrive({ source: around, ports: [link.port] });
  link.say(START);
  return { around, said, link, session: await session };
}

test('the hello says nothing but that it is one, and the answer is what the desk says', async () => {
  const { said, session } = await begun();
  expect(said).toEqual([{ message: { deskwire: 1, type: 'hello' }, target: '*' }]);
  expect(session).toMatchObject(START);
});

describe('who may answer', () => {
  const origins: [origin: string, desk: string[], taken: boolean][] = [
    ['http://localhost:4111', [], true],
    ['http://localhost', [], true],
    ['https://localhost:4111', [], true],
    ['http://demo.localhost:4111', [], true],
    ['http://127.0.0.1:4111', [], true],
    ['http://[::1]:4111', [], true],
    ['https://desk.example.com', [], false],
    ['https://desk.example.com', ['https://desk.example.com'], true],
    ['http://desk.example.com', ['https://desk.example.com'], false],
    ['https://desk.example.com:8443', ['https://desk.example.com'], false],
    ['https://localhost.example.com', [], false],
    ['https://evillocalhost', [], false],
    ['http://127.0.0.1.example.com', [], false],
    ['http://example.com:4111', [], false],
    ['file://localhost', [], false],
    ['null', [], false],
  ];
  test.each(origins)('%s with %j listed: %s', async (origin, desk, taken) => {
    const { around } = parent();
    const link = channel();
    const answer = start({ desk });
    arrive({ source: around, origin, ports: [link.port] });
    link.say(START);
    if (taken) expect((await answer).gatewayToken).toBe(START.gatewayToken);
    else await expect(answer).rejects.toThrow(`${origin} is not in data-desk`);
  });

  const forgeries: [name: string, forge: (around: Window) => Parameters<typeof arrive>[0]][] = [
    ['another window', () => ({ source: {} })],
    ['this window itself', () => ({ source: window })],
    ['no window', () => ({ source: null })],
    ['another version', (source) => ({ source, data: { deskwire: 2, type: 'port' } })],
    ['another type', (source) => ({ source, data: { ...START, deskwire: 1 } })],
    ['a text', (source) => ({ source, data: 'port' })],
    ['nothing', (source) => ({ source, data: null })],
    ['no port', (source) => ({ source, ports: [] })],
  ];
  test.each(forgeries)('%s gets no attention, and does not keep the desk from answering', async (_, forge) => {
    const { around } = parent();
    const forged = channel();
    const link = channel();
    const answer = start();
    arrive({ ports: [forged.port], ...forge(around) });
    forged.say({ ...START, gatewayToken: 'forged' });
    arrive({ source: around, ports: [link.port] });
    link.say(START);
    expect((await answer).gatewayToken).toBe(START.gatewayToken);
  });

  test('one hello takes one port', async () => {
    const { around, link, session } = await begun();
    const second = channel();
    arrive({ source: around, ports: [second.port] });
    session.setTitle('Portfolio');
    await vi.waitFor(() => expect(link.heard).toHaveLength(1));
    expect(second.heard).toEqual([]);
  });
});

describe('no desk', () => {
  test('a page by itself is told at once', async () => {
    vi.stubGlobal('parent', window);
    await expect(start()).rejects.toThrow('This page is not in a desk');
  });

  test('silence is told after 10 s, and a port that comes later is not taken', async () => {
    vi.useFakeTimers();
    const { around } = parent();
    const answer = start();
    const told = expect(answer).rejects.toThrow('The desk did not answer in 10 s');
    await vi.advanceTimersByTimeAsync(9_999);
    await vi.advanceTimersByTimeAsync(1);
    await told;
    vi.useRealTimers();
    const late = channel();
    arrive({ source: around, ports: [late.port] });
    late.say(START);
    await expect(answer).rejects.toThrow();
  });

  test('a port over which nothing comes is silence too', async () => {
    vi.useFakeTimers();
    const { around } = parent();
    const answer = start();
    const told = expect(answer).rejects.toThrow('did not answer');
    arrive({ source: around, ports: [channel().port] });
    await vi.advanceTimersByTimeAsync(10_000);
    await told;
  });
});

describe('afterwards', () => {
  test('a page asks once', async () => {
    const { said, session } = await begun();
    expect(await start()).toBe(session);
    expect(said).toHaveLength(1);
  });

  test('themes arrive at every listener', async () => {
    const { link, session } = await begun();
    const seen: unknown[] = [];
    session.onTheme((theme, style) => void seen.push([theme, style]));
    session.onTheme((theme) => void seen.push(theme));
    const style = { '--color-text-primary': '#e8ebf1' };
    link.say({ type: 'theme', theme: 'dark', style });
    await vi.waitFor(() => expect(seen).toEqual([['dark', style], 'dark']));
  });

  test('a title is cut to 200 characters', async () => {
    const { link, session } = await begun();
    session.setTitle('x'.repeat(300));
    await vi.waitFor(() => expect(link.heard).toEqual([{ type: 'title', title: 'x'.repeat(200) }]));
  });

  test('a start for another instance is told; one for the same is not', async () => {
    const restarts: string[] = [];
    const { link } = await begun({ onRestart: ({ instanceId }) => void restarts.push(instanceId) });
    link.say(START);
    link.say({ ...START, instanceId: 'i-2' });
    await vi.waitFor(() => expect(restarts).toEqual(['i-2']));
  });

  test('without a listener the page reloads', async () => {
    const reload = vi.fn();
    vi.stubGlobal('location', { reload });
    const { link } = await begun();
    link.say({ ...START, instanceId: 'i-2' });
    await vi.waitFor(() => expect(reload).toHaveBeenCalledOnce());
  });
});

test('nothing is logged', async () => {
  const said = vi.fn();
  for (const level of ['log', 'info', 'warn', 'error', 'debug'] as const) vi.spyOn(console, level).mockImplementation(said);
  await begun();
  expect(said).not.toHaveBeenCalled();
  vi.restoreAllMocks();
});
