/** Focuses an element when it appears. Use as the `ref` of an element that replaces the focused element. */
export function focusOnMount(element: HTMLElement | null): void {
  element?.focus();
}
