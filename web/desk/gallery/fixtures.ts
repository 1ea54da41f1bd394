// A desktop as it is on a morning with a few things missing.

import { EMPTY_TREE } from '@deskwire/layout';
import type { Application, DesktopState, Finding, WindowInfo, Workspace } from '../src/desktop/model.ts';

const MORNING = new Date(2026, 2, 2, 9, 41).getTime();

function window(itemId: string, appName: string, title: string, more: Partial<WindowInfo> = {}): WindowInfo {
  return { itemId, windowId: `window-${itemId}`, instanceId: `instance-${itemId}`, appName, title, state: 'ready', focused: false, ...more };
}

function workspace(id: string, title: string, position: number, windows: readonly WindowInfo[], more: Partial<Workspace> = {}): Workspace {
  return {
    id,
    rev: 1,
    frameId: 'frame-1',
    position,
    title,
    name: title.toLowerCase().replaceAll(' ', '-'),
    hibernated: false,
    selected: false,
    tree: EMPTY_TREE,
    windows: new Map(windows.map((one) => [one.itemId, one])),
    ...more,
  };
}

const WORKSPACES = [
  workspace(
    'w1',
    'Client desk',
    0,
    [window('1', 'clients', 'Clients', { focused: true }), window('2', 'portfolio', 'Portfolio'), window('3', 'orders', 'Orders')],
    { selected: true, layoutName: 'Client desk' },
  ),
  workspace('w2', 'Trading', 1, [window('4', 'blotter', 'Order blotter')]),
  workspace('w3', 'Month end', 0, [window('5', 'reports', 'Reports')], { frameId: 'frame-2' }),
];

function application(name: string, title: string, more: Partial<Application> = {}): Application {
  return { name, title, type: 'window', hidden: false, ...more };
}

const APPLICATIONS = [
  application('clients', 'Clients', { caption: 'Finds clients by name, number or adviser' }),
  application('portfolio', 'Portfolio', { caption: 'Positions and performance of one client' }),
  application('orders', 'Orders', { caption: 'Open orders, and new ones' }),
  application('notes', 'Notes', { caption: 'Notes about clients and meetings' }),
  application('blotter', 'Order blotter', { caption: 'All orders of the day' }),
  application('risk-engine', 'Risk engine', {
    type: 'exe',
    caption: 'Value at risk of a portfolio, overnight',
    cannotStart: 'Its program /opt/risk/engine is not there. Install it, or edit apps/risk.json:12.',
  }),
  application('price-feed', 'Price feed', { type: 'node', caption: 'Prices of the exchanges, delayed by 15 minutes' }),
  application('internal-tracer', 'Tracer', { hidden: true }),
];

export const FINDINGS: readonly Finding[] = [
  ...['find_client', 'open_portfolio', 'place_order', 'add_note', 'io_connect_search_applications', 'io_connect_start_applications'].map((name) => ({
    kind: 'tool',
    name,
    ...(name.startsWith('io_') ? {} : { app: name.split('_')[1] ?? '' }),
    visible: true,
    stage: '',
    reason: '',
    fix: '',
  })),
  {
    kind: 'tool',
    name: 'add_note',
    app: 'note',
    visible: true,
    stage: 'schema',
    reason: 'The output schema is not published: it has properties but no type.',
    fix: 'Give it "type": "object".',
  },
  {
    kind: 'tool',
    name: 'cancel order',
    app: 'orders',
    visible: false,
    stage: 'definition',
    reason: 'The name “cancel order” has a space in it.',
    fix: 'Use letters, digits, _, - and . only, such as cancel_order.',
  },
  {
    kind: 'tool',
    name: 'io_connect_search_workspaces',
    visible: false,
    stage: 'clientCapability',
    reason: 'The client does not declare sampling.',
    fix: 'Use a client with sampling, or set server.tools.system.searchWorkspaces.matching to "auto".',
  },
  {
    kind: 'tool',
    name: 'price_history',
    app: 'price-feed',
    visible: false,
    stage: 'bus',
    reason: 'No instance of price-feed is on the bus, and the tool is variable.',
    fix: 'Start price-feed.',
  },
  {
    kind: 'application',
    name: 'internal-tracer',
    visible: false,
    stage: 'guard',
    reason: 'searchApps.guard refused it: app.name != "internal-tracer".',
    fix: 'Change the guard in deskwire.json:41.',
  },
  {
    kind: 'application',
    name: 'risk-engine',
    visible: false,
    stage: 'definition',
    reason: 'It has no caption, so no model can tell what it is for.',
    fix: 'Add "caption" in apps/risk.json:3.',
  },
  {
    kind: 'workspace',
    name: 'Month end',
    visible: false,
    stage: 'definition',
    reason: 'Its layout has no metadata.description.',
    fix: 'Describe it when you save it.',
  },
  {
    kind: 'intent',
    name: 'ViewChart',
    visible: false,
    stage: 'bus',
    reason: 'Nothing handles it: no definition declares it and no running application registered it.',
    fix: 'Start an application that handles ViewChart.',
  },
  {
    kind: 'name',
    name: 'mcp-app.tracker.board',
    visible: false,
    stage: 'configuration',
    reason: 'The in-memory store does not allow the name.',
    fix: 'Add "mcp-app.*" to platform.appStores[0].details.allowedApps.',
  },
];

/** As many as a desktop with two thousand methods may have. */
export const MANY: readonly Finding[] = Array.from({ length: 2000 }, (_, place) => ({
  kind: 'tool',
  name: `method_${place}`,
  app: `application-${place % 40}`,
  visible: false,
  stage: ['definition', 'configuration', 'bus', 'guard', 'schema', 'clientCapability'][place % 6] ?? 'bus',
  reason: `The reason that number ${place} is not there, in a sentence of some length, as they are.`,
  fix: 'What would make it visible, in a sentence too.',
}));

export const DESKTOP: DesktopState = {
  connection: { state: 'up' },
  frameId: 'frame-1',
  frames: new Map(['frame-1', 'frame-2'].map((id) => [id, { id, attached: true, isFocused: id === 'frame-1' }])),
  workspaces: new Map(WORKSPACES.map((one) => [one.id, one])),
  applications: APPLICATIONS,
  layouts: [
    { name: 'Client desk', description: 'Clients, their portfolio and orders', readOnly: false },
    { name: 'Trading', description: 'Blotter, prices and risk', readOnly: true },
    { name: 'Month end', readOnly: false },
  ],
  channels: [
    { name: 'Red', color: '#d9322e' },
    { name: 'Green', color: '#2c9a4b' },
    { name: 'Blue', color: '#2f6fe0' },
    { name: 'Yellow', color: '#e0b021' },
  ],
  memberships: new Map([['instance-1', 'Blue']]),
  status: { version: '0.1.0', peers: 7, tools: { visible: 6, withheld: 2 }, leftOut: 5, revision: '1' },
  notices: [],
  savedAt: MORNING + 143 * 60_000,
};

export const NOTICES: DesktopState['notices'] = [
  'Month end was not saved: the disk is full. Free some space, then save again.',
  'Portfolio did not start: its page at 127.0.0.1:4202 refused the connection. Start it, or edit apps/portfolio.json:7.',
].map((text, id) => ({ id, text, at: MORNING }));

export const DOWN: DesktopState['connection'] = {
  state: 'down',
  since: MORNING,
  reason: 'the server at 127.0.0.1:4111 closed the connection',
};
