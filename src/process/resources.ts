/** Registers a resource to be closed later, and returns the resource. Ignores `undefined`, which stands for "off". */
export type Open = <Thing extends { close(): unknown } | undefined>(thing: Thing) => Thing;

/**
 * Opens several resources, and adds `close` to the result. `close` closes all resources in reverse order, even if one
 * fails to close, and then rejects with the last failure; a second call waits for the first. If opening fails, closes the
 * resources that are open.
 *
 * @param openAll opens the resources in their order, and passes each one to `open`
 */
export async function openTogether<Result>(
  openAll: (open: Open) => Promise<Result>,
): Promise<Result & { readonly close: () => Promise<void> }> {
  const things: { close(): unknown }[] = [];
  const closeAll = async (): Promise<void> => {
    const last = things.pop();
    if (!last) return;
    try {
      await last.close();
    } finally {
      await closeAll();
    }
  };
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => (closing ??= closeAll());
  const open: Open = (thing) => {
    if (thing) things.push(thing);
    return thing;
  };
  try {
    return { ...(await openAll(open)), close };
  } catch (error) {
    // Ignores failures to close: the caller needs the reason why opening failed.
    await close().catch(() => {});
    throw error;
  }
}
