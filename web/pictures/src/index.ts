export { FLAGS, settled, steady } from './browser.ts';
export { difference } from './compare.ts';
