// `/api/status` and `/api/diagnostics`.

import type { Finding, Status } from '../model.ts';
import { countIn, fieldsOf, maybe, nameIn, readAll, textIn } from './fields.ts';

const MAX_FINDINGS = 10_000;

export function readStatus(data: unknown): Status | undefined {
  const from = fieldsOf(data);
  const tools = fieldsOf(from?.['tools']);
  if (from === undefined || tools === undefined) return undefined;
  return {
    version: nameIn(from['version']) ?? '',
    peers: countIn(from['peers']) ?? 0,
    tools: { visible: countIn(tools['visible']) ?? 0, withheld: countIn(tools['withheld']) ?? 0 },
    leftOut: countIn(from['leftOut']) ?? 0,
    revision: nameIn(from['revision']) ?? '',
  };
}

export function readFindings(data: unknown): Finding[] {
  return readAll(data, MAX_FINDINGS, (value) => {
    const from = fieldsOf(value);
    const [kind, name] = [nameIn(from?.['kind']), nameIn(from?.['name'])];
    if (from === undefined || kind === undefined || name === undefined) return undefined;
    return {
      kind,
      name,
      ...maybe('app', nameIn(from['app'])),
      visible: from['visible'] === true,
      stage: textIn(from['stage']) ?? '',
      reason: textIn(from['reason']) ?? '',
      fix: textIn(from['fix']) ?? '',
    };
  });
}
