declare global {
  interface JSON {
    isRawJSON(value: unknown): value is { readonly rawJSON: string };
  }
}

export type JsonObject = Readonly<Record<string, unknown>>;

/** A number that is kept as it is written is an object too, but not one of JSON. */
export function isObject(value: unknown): value is JsonObject {
  if (typeof value !== 'object' || value === null) return false;
  return !Array.isArray(value) && !JSON.isRawJSON(value);
}

/** Returns an object, or an empty one in place of any other value. */
export function toObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** Returns a JSON Pointer (RFC 6901). */
export function toPointer(steps: readonly PropertyKey[]): string {
  const escaped = steps.map((step) => String(step).replaceAll('~', '~0').replaceAll('/', '~1'));
  return escaped.map((step) => `/${step}`).join('');
}

/** Returns the steps of a JSON Pointer. */
export function toSteps(pointer = ''): string[] {
  const steps = pointer.split('/').slice(1);
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Returns a function that reads the value at a JSON Pointer through objects; `undefined` if there is none. */
export function createRead(pointer?: string): (value: unknown) => unknown {
  const steps = toSteps(pointer);
  return (value) => {
    let inner = value;
    for (const step of steps) {
      if (!isObject(inner) || !Object.hasOwn(inner, step)) return undefined;
      inner = inner[step];
    }
    return inner;
  };
}

/** Writes a value at a JSON Pointer, and makes the objects on the way. */
export function writeAt(target: Record<string, unknown>, pointer: string, value: unknown): void {
  const steps = toSteps(pointer);
  const last = steps.pop() ?? '';
  let inner = target;
  for (const step of steps) {
    const next = { ...toObject(inner[step]) };
    inner[step] = next;
    inner = next;
  }
  inner[last] = value;
}
