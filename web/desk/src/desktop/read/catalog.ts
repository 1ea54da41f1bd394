// `T42.ACS.OnEvent` and `T42.ACS.OnLayoutEvent`: what can be started and opened.

import type { Application, LayoutInfo } from '../model.ts';
import type { DeskEvent } from '../reduce.ts';
import { fieldsOf, maybe, nameIn, readAll, textIn } from './fields.ts';
import type { Fields } from './fields.ts';

const MAX_RECORDS = 20_000;

export function readApplicationsEvent(data: unknown): DeskEvent | undefined {
  const event = fieldsOf(data);
  if (event === undefined) return undefined;
  const put = ['OnApplicationAdded', 'OnApplicationChanged'].flatMap((key) => readAll(event[key], MAX_RECORDS, readApplication));
  const removed = readAll(event['OnApplicationRemoved'], MAX_RECORDS, (one) => nameIn(fieldsOf(one)?.['Name']));
  const isSnapshot = event['isSnapshot'] === true;
  return isSnapshot || put.length + removed.length > 0 ? { type: 'applications', isSnapshot, put, removed } : undefined;
}

function readApplication(value: unknown): Application | undefined {
  const from = fieldsOf(value);
  const name = nameIn(from?.['Name']);
  if (from === undefined || name === undefined) return undefined;
  return {
    name,
    title: textIn(from['Title']) ?? name,
    ...maybe('caption', textIn(from['Caption'])),
    type: nameIn(from['Type']) ?? 'window',
    hidden: from['IsHidden'] === true,
    ...maybe('cannotStart', from['IsReady'] === false ? 'It is disabled in its definition.' : undefined),
  };
}

/** Layouts that open a workspace; there are others, which are none of ours. */
export function readLayoutsEvent(data: unknown): DeskEvent | undefined {
  const event = fieldsOf(data);
  if (event === undefined) return undefined;
  const put = ['OnLayoutAdded', 'OnLayoutChanged'].flatMap((key) => readAll(event[key], MAX_RECORDS, readLayout));
  const removed = readAll(event['OnLayoutRemoved'], MAX_RECORDS, removedName);
  const renamed = readAll(event['OnLayoutRenamed'], MAX_RECORDS, readRenamed);
  const isSnapshot = event['IsSnapshot'] === true;
  const isNews = isSnapshot || put.length + removed.length + renamed.length > 0;
  return isNews ? { type: 'layouts', isSnapshot, put, removed, renamed } : undefined;
}

function isWorkspace(from: Fields): boolean {
  return String(from['type'] ?? from['Type']).toLowerCase() === 'workspace';
}

function readLayout(value: unknown): LayoutInfo | undefined {
  const from = fieldsOf(value);
  const name = nameIn(from?.['name'] ?? from?.['Name']);
  if (from === undefined || name === undefined || !isWorkspace(from)) return undefined;
  const metadata = fieldsOf(from['metadata'] ?? from['Metadata']);
  return {
    name,
    ...maybe('workspaceTitle', titleOf(from['components'] ?? from['Components'])),
    ...maybe('description', textIn(metadata?.['description'])),
    readOnly: from['readOnly'] === true,
  };
}

function titleOf(components: unknown): string | undefined {
  const first = fieldsOf(Array.isArray(components) ? components[0] : undefined);
  return textIn(fieldsOf(fieldsOf(first?.['state'])?.['config'])?.['title']);
}

function removedName(value: unknown): string | undefined {
  const from = fieldsOf(value);
  return from !== undefined && isWorkspace(from) ? nameIn(from['name'] ?? from['Name']) : undefined;
}

function readRenamed(value: unknown): [string, string] | undefined {
  const from = fieldsOf(value);
  const [old, now] = [nameIn(from?.['OldName']), nameIn(from?.['NewName'])];
  return from !== undefined && isWorkspace(from) && old !== undefined && now !== undefined ? [old, now] : undefined;
}
