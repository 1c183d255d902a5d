import { $RefParser } from '@apidevtools/json-schema-ref-parser';
import { ContractError, toContractError } from './contract.js';
import { isObject, toObject, type JsonObject } from './json.js';

/** Maximum time for one download, in ms. */
const TIMEOUT_MS = 10_000;
/** Maximum size of one file of a document, in bytes. */
const MAX_BYTES = 20_000_000;

/** Returns the URL of a document; `undefined` for the path of a file. */
export function toDocumentUrl(source: string): URL | undefined {
  return /^https?:\/\//i.test(source) ? new URL(source) : undefined;
}

/**
 * Reads an OpenAPI document in JSON or YAML, and resolves its references: those in a file within files, those of a URL
 * within its origin.
 *
 * @throws ContractError when the document cannot be read, or is no OpenAPI 3 document
 */
export async function readDocument(source: string): Promise<JsonObject> {
  const url = toDocumentUrl(source);
  let document: unknown;
  try {
    document = await $RefParser.dereference(source, {
      parse: { text: false, binary: false },
      resolve: {
        file: url ? false : {},
        http: {
          canRead: (file) => url !== undefined && URL.parse(file.url)?.origin === url.origin,
          safeUrlResolver: false,
          timeout: TIMEOUT_MS,
          maxContentLength: MAX_BYTES,
        },
      },
      timeoutMs: TIMEOUT_MS,
    });
  } catch (error) {
    throw toContractError(source, 'cannot be read', error);
  }
  const { openapi, swagger, paths } = toObject(document);
  if (typeof swagger === 'string')
    throw new ContractError(
      `${source} is a document of Swagger ${swagger}: OpenAPI 3.0 and 3.1 can be read. Convert it first.`,
    );
  if (typeof openapi !== 'string' || !/^3\.[01]\./.test(openapi) || !isObject(paths))
    throw new ContractError(`${source} is no document of OpenAPI 3.0 or 3.1 with paths.`);
  return toObject(document);
}
