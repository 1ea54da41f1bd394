// What the desk and a page in one of its windows say to each other. The page speaks first; everything
// that is secret goes over a port that the desk sends to the page's origin alone.

/** The version of this conversation; it is the value of `deskwire` in both messages of a window. */
export const VERSION = 1;

/** page → desk, by `window.parent.postMessage`: this page would like to be on the bus. */
export interface Hello {
  readonly deskwire: typeof VERSION;
  readonly type: 'hello';
}

/** desk → page, by `postMessage` to the origin of the window's address, with a port. */
export interface PortMessage {
  readonly deskwire: typeof VERSION;
  readonly type: 'port';
}

export type Theme = 'light' | 'dark';

/** Values of the style variables that MCP Apps hosts hand to views, such as `--color-text-primary`. */
export type Style = Readonly<Record<`--${string}`, string>>;

/** desk → page, over the port: who the page is, and where the bus is. */
export interface Start {
  readonly type: 'start';
  /** Address of the gateway: `ws:` or `wss:`. */
  readonly gatewayUrl: string;
  /** Fixes the page's identity on the bus; good until the instance stops. A secret of this page. */
  readonly gatewayToken: string;
  readonly instanceId: string;
  /** Name of the application's definition. */
  readonly application: string;
  /** What the application was started with. */
  readonly startingContext: Readonly<Record<string, unknown>>;
  /** The workspace that the window is in; its shared context is the bus context `___workspace___<id>`. */
  readonly workspaceId?: string;
  readonly theme: Theme;
  readonly style: Style;
}

/** desk → page, over the port: the person chose another theme. */
export interface ThemeMessage {
  readonly type: 'theme';
  readonly theme: Theme;
  readonly style: Style;
}

/** page → desk, over the port: what the window's tab says. At most 200 characters are shown. */
export interface TitleMessage {
  readonly type: 'title';
  readonly title: string;
}

export type FromDesk = Start | ThemeMessage;
export type FromPage = TitleMessage;
