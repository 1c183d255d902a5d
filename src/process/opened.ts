interface Closable {
  close(): unknown;
}

/** Takes a thing that must be closed, or `undefined` where it is off, and returns it. */
export type Open = <Thing extends Closable | undefined>(thing: Thing) => Thing;

/**
 * Opens things that belong together, and adds the function that closes them: the last first, and each though another one
 * fails. A failure while they are opened closes those that are open.
 *
 * @param openAll calls `open` with each thing in its order
 */
export async function openTogether<Result>(
  openAll: (open: Open) => Promise<Result>,
): Promise<Result & { readonly close: () => Promise<void> }> {
  const things: Closable[] = [];
  const close = async (): Promise<void> => {
    const failures: unknown[] = [];
    for (const thing of things.splice(0).toReversed())
      try {
        await thing.close();
      } catch (error) {
        failures.push(error);
      }
    if (failures.length > 0) throw failures[0];
  };
  const open: Open = (thing) => {
    if (thing) things.push(thing);
    return thing;
  };
  try {
    return { ...(await openAll(open)), close };
  } catch (error) {
    // Why they cannot be opened is what matters.
    await close().catch(() => {});
    throw error;
  }
}
