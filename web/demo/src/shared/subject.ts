// Which client a page shows: the one of the workspace, unless it was asked for another. Pure.

export interface Subject {
  /** The client of the workspace, as far as it is known. */
  readonly workspace?: string;
  /** A client the page was asked for: it is shown until the workspace turns to another one. */
  readonly asked?: string;
}

export type SubjectEvent =
  /** The context of the workspace is, or has become, about this client. */
  | { readonly type: 'workspace'; readonly clientId: string | undefined }
  /** The page was started with, or asked by a method or an intent for, this client. */
  | { readonly type: 'asked'; readonly clientId: string }
  /** The person wants to follow the workspace again. */
  | { readonly type: 'follow' };

export function next(subject: Subject, event: SubjectEvent): Subject {
  switch (event.type) {
    case 'asked':
      return { ...subject, asked: event.clientId };
    case 'follow':
      return { workspace: subject.workspace };
    case 'workspace':
      // Other data of the workspace has changed: that is no reason to leave the client shown.
      return event.clientId === subject.workspace ? subject : { workspace: event.clientId };
  }
}

export const clientOf = (subject: Subject): string | undefined => subject.asked ?? subject.workspace;

/** Whether the page shows another client than its workspace is about. */
export const strays = ({ asked, workspace }: Subject): boolean => asked !== undefined && asked !== workspace;

/** The client id in data from elsewhere, if it is one. */
export function clientIdIn(data: unknown): string | undefined {
  const id = (data as { clientId?: unknown } | null | undefined)?.clientId;
  return typeof id === 'string' && id !== '' && id.length <= 64 ? id : undefined;
}
