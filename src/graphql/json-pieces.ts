/** Length in characters from which a string has a buffer of its own, which all places share that have the string. */
const SHARED_LENGTH = 4_096;
/** Length in characters up to which JSON.stringify writes a value as a whole. */
const SMALL_LENGTH = 262_144;
/** Number of characters that count for a list, an object, or a value that is no string. */
const PART_LENGTH = 8;
/** Number of entries of a list that are written together. */
const GROUP_SIZE = 64;
/** Depth in levels below which JSON.stringify writes every value: it needs no stack. */
const MAX_DEPTH = 20;
/** Length in characters at which text becomes a buffer. */
const TEXT_LENGTH = 65_536;

/** Stops the writing of a value that is too long. */
const tooLong = Symbol('too long');

/** The JSON text of a long response in pieces of UTF-8. Aliases of one long string share one piece. */
export class JsonPieces {
  /** Length of the whole text. */
  bytes = 0;
  /** Memory of the pieces, each counted once. */
  heldBytes = 0;
  #buffers: Buffer[] = [];
  #text = '';
  readonly #shared = new Map<string, Buffer>();

  constructor(private readonly maxBytes: number) {}

  /** Appends a value, with the bytes that JSON.stringify writes. Returns false, and appends nothing, if the text would be too long. */
  add(value: unknown): boolean {
    this.#flush();
    const { bytes, heldBytes } = this;
    const count = this.#buffers.length;
    try {
      this.#write(value, 0);
      this.#flush();
      return true;
    } catch (error) {
      if (error !== tooLong) throw error;
      this.#text = '';
      this.#buffers.length = count;
      Object.assign(this, { bytes, heldBytes });
      return false;
    }
  }

  addText(text: string): void {
    this.#text += text;
    if (this.#text.length > TEXT_LENGTH) this.#flush();
  }

  get buffers(): readonly Buffer[] {
    this.#flush();
    return this.#buffers;
  }

  #write(value: unknown, depth: number): void {
    if (typeof value === 'string' && value.length >= SHARED_LENGTH) this.#writeShared(value);
    else if (isSmall(value) || depth === MAX_DEPTH) this.addText(JSON.stringify(value) ?? 'null');
    else if (Array.isArray(value)) this.#writeList(value, depth + 1);
    else this.#writeObject(Object(value), depth + 1);
  }

  #writeShared(value: string): void {
    let buffer = this.#shared.get(value);
    if (!buffer) {
      buffer = Buffer.from(JSON.stringify(value));
      this.#shared.set(value, buffer);
      this.heldBytes += buffer.length;
    }
    this.#flush();
    this.#push(buffer);
  }

  #writeList(list: readonly unknown[], depth: number): void {
    this.addText('[');
    for (let start = 0; start < list.length; start += GROUP_SIZE) {
      if (start > 0) this.addText(',');
      const group = list.slice(start, start + GROUP_SIZE);
      if (isSmall(group)) this.addText(JSON.stringify(group).slice(1, -1));
      else
        for (const [index, item] of group.entries()) {
          if (index > 0) this.addText(',');
          this.#write(item, depth);
        }
    }
    this.addText(']');
  }

  #writeObject(object: Readonly<Record<string, unknown>>, depth: number): void {
    let separator = '{';
    for (const [name, value] of Object.entries(object)) {
      if (value === undefined) continue;
      this.addText(`${separator}${JSON.stringify(name)}:`);
      this.#write(value, depth);
      separator = ',';
    }
    this.addText(separator === '{' ? '{}' : '}');
  }

  #flush(): void {
    if (this.#text === '') return;
    const buffer = Buffer.from(this.#text);
    this.#text = '';
    this.heldBytes += buffer.length;
    this.#push(buffer);
  }

  #push(buffer: Buffer): void {
    this.bytes += buffer.length;
    if (this.bytes > this.maxBytes) throw tooLong;
    this.#buffers.push(buffer);
  }
}

/** Returns true if a value has no long string, and a short JSON text. */
function isSmall(value: unknown): boolean {
  return toSpareLength(value, SMALL_LENGTH) >= 0;
}

/** Returns how much of `length` is left after a value; negative as soon as nothing is left. */
function toSpareLength(value: unknown, length: number): number {
  if (typeof value === 'string') return value.length < SHARED_LENGTH ? length - value.length : -1;
  let left = length - PART_LENGTH;
  if (typeof value !== 'object' || value === null || JSON.isRawJSON(value)) return left;
  if (Array.isArray(value))
    for (let index = 0; left >= 0 && index < value.length; index += 1)
      left = toSpareLength(value[index], left);
  else {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an object, by the lines above
    const object = value as Readonly<Record<string, unknown>>;
    // Not `Object.entries`, which takes five times as long. A parser or a plan made the object: it inherits no names.
    for (const name in object) {
      left = toSpareLength(object[name], left - name.length);
      if (left < 0) return left;
    }
  }
  return left;
}
