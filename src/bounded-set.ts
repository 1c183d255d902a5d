/** Keeps the first `max` texts and no others, so that texts from outside cannot fill the memory. */
export class BoundedSet {
  readonly #texts = new Set<string>();

  constructor(private readonly max: number) {}

  has(text: string): boolean {
    return this.#texts.has(text);
  }

  /** Whether the set holds `text` now. */
  add(text: string): boolean {
    if (this.#texts.size < this.max) this.#texts.add(text);
    return this.has(text);
  }
}
