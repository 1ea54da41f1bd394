// The frame that this tab of the browser holds, remembered over a reload.

const KEY = 'deskwire.frame';

export interface FrameMemory {
  read(): string | undefined;
  write(id: string): void;
}

/** A browser that keeps nothing for us only loses the place over a reload. */
export function sessionMemory(storage: () => Storage): FrameMemory {
  return {
    read() {
      try {
        return storage().getItem(KEY) ?? undefined;
      } catch {
        return undefined;
      }
    },
    write(id) {
      try {
        storage().setItem(KEY, id);
      } catch {
        // As said above.
      }
    },
  };
}
