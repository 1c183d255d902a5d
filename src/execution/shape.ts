import { irregular } from './irregular.js';

/**
 * Returns a function that creates objects with these keys and values. V8 copies such an object in one step; an object that
 * grows key by key becomes a slow hash table after its twelfth key.
 *
 * @throws `irregular` on the key `__proto__`: assigning to this key would replace the prototype
 */
export function planShape(
  entries: readonly (readonly [key: string, value: unknown])[],
): () => Record<string, unknown> {
  if (entries.some(([key]) => key === '__proto__')) throw irregular;
  const keys = entries.map(([key]) => `${JSON.stringify(key)}:null`);
  // JSON.parse creates an object in V8's fast layout, even with many keys.
  const template: Record<string, unknown> = JSON.parse(`{${keys.join(',')}}`);
  for (const [key, value] of entries) template[key] = value;
  return () => ({ ...template });
}
