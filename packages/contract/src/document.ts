import { readFile } from 'node:fs/promises';
import { ContractError } from './file.js';
import { createRead, isObject, toObject, type JsonObject } from './json.js';

/**
 * Reads an OpenAPI document, and resolves its references.
 *
 * @param source a URL, or the path of a file
 * @throws ContractError when the document cannot be read, or is no OpenAPI 3 document in JSON
 */
export async function readDocument(source: string): Promise<JsonObject> {
  try {
    const document: unknown = JSON.parse(await readText(source));
    const { openapi, paths } = toObject(document);
    if (/^3\.[01]\./.test(String(openapi)) && isObject(paths)) return toObject(resolve(document));
    throw new Error('it has no paths of OpenAPI 3.0 or 3.1');
  } catch (error) {
    const remedy = `It must be OpenAPI 3 in one file of JSON; of YAML or several files, "npx @redocly/cli bundle ${source} --output openapi.json" makes one.`;
    const message = `${source} cannot be read: ${toReason(error)}\n${remedy}`;
    throw new ContractError(message, { cause: error });
  }
}

/** Returns why something failed: fetch says it in its cause, which has only a code if a name has several addresses. */
function toReason(error: unknown): string {
  const { message, code, cause } = Object(error);
  return cause === undefined ? message || code : toReason(cause);
}

function isUrl(source: string): boolean {
  return /^https?:\/\//i.test(source);
}

async function readText(source: string): Promise<string> {
  if (!isUrl(source)) return readFile(source, 'utf8');
  // drf-spectacular answers with YAML unless JSON is asked for.
  const response = await fetch(source, { headers: { accept: 'application/json, */*' } });
  if (!response.ok) throw new Error(`the answer has the status ${response.status}`);
  return response.text();
}

/** Puts what a reference names in its place. A schema that refers to itself becomes an object that contains itself. */
function resolve(document: unknown): unknown {
  const known = new Map<string, object>();
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk);
    if (!isObject(value)) return value;
    const { $ref } = value;
    if (typeof $ref !== 'string')
      return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, walk(part)]));
    const old = known.get($ref);
    if (old) return old;
    const part = createRead(decodeURIComponent($ref))(document);
    if (!$ref.startsWith('#') || part === undefined) throw new Error(`it does not have "${$ref}"`);
    const target = {};
    known.set($ref, target);
    return Object.assign(target, walk(part));
  };
  return walk(document);
}

/**
 * Returns origin and path of the first server, with the defaults of its variables.
 *
 * @param source where the document was read from
 */
export function toServer({ servers }: JsonObject, source: string) {
  const { url = '/', variables } = toObject([servers].flat()[0]);
  const toDefault = (_: string, name: string): string =>
    String(toObject(toObject(variables)[name])['default']);
  const filled = String(url).replaceAll(/\{([^{}]*)\}/g, toDefault);
  const base = isUrl(source) ? source : 'https://study-api.example';
  const { origin, pathname } = new URL(filled, base);
  return { origin, path: pathname.replace(/\/$/, '') };
}
