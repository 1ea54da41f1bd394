export * from './handshake.ts';
export { start } from './starter.ts';
export type { Options, Session, ThemeListener } from './starter.ts';
