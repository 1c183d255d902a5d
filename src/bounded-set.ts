/** A set of at most `max` strings, which ignores further ones, so that input from clients cannot fill the memory. */
export class BoundedSet {
  readonly #texts = new Set<string>();

  constructor(private readonly max: number) {}

  has(text: string): boolean {
    return this.#texts.has(text);
  }

  /** Adds `text` if there is room. Returns whether the set now has `text`. */
  add(text: string): boolean {
    if (this.#texts.size < this.max) this.#texts.add(text);
    return this.has(text);
  }
}
