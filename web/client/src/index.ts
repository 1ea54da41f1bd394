export * from './handshake.ts';
