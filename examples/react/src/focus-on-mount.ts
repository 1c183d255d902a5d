/** A `ref` that gives an element the focus as it appears, where the one that had it has gone. */
export function focusOnMount(element: HTMLElement | null): void {
  element?.focus();
}
