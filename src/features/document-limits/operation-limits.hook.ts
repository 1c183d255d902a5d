import type { FastifyRequest } from 'fastify';
import {
  Kind,
  Lexer,
  OperationTypeNode,
  parse,
  Source,
  TokenKind,
  visit,
  type DocumentNode,
  type FragmentDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Config } from '../../config/config.js';
import { Refusal } from '../../errors/refusal.js';
import { findRootFields, toFragments } from '../../graphql/root-fields.js';
import type { AppPart } from '../../http/app.js';
import { toSearch } from '../../http/http-operation.js';

/** Maximum size and complexity of a GraphQL document: the configuration, and options whose default is a constant. */
type OperationLimits = Config['limits'] & {
  readonly maxDocumentLength?: number | undefined;
  /** Maximum nesting depth of fields, including fields in fragments. */
  readonly maxDepth?: number | undefined;
  readonly maxDirectives?: number | undefined;
};

/** Characters of a document. A document of 1,000 tokens with its arguments in variables is far shorter. */
const MAX_LENGTH = 20_000;
/** Levels of fields. The introspection query has 13; no other operation of this schema has more than 4. */
const MAX_DEPTH = 15;
/** Directives of a document. Each takes CPU time at every validation and execution; frontends need a few `@include`. */
const MAX_DIRECTIVES = 10;
/** Maximum length of a name, in characters. Error messages and paths quote names, so this bounds the response size. */
const MAX_NAME_LENGTH = 128;
/** Maximum nesting depth of brackets. graphql-js parses recursively, so deep nesting could overflow the stack. */
const MAX_NESTING = 50;
/**
 * Maximum number of fragments, and of the names that a document spreads. Validation follows chains of fragments
 * recursively, which could overflow the stack, and reports each unknown name.
 */
const MAX_FRAGMENTS = 50;
/** Maximum number of fields with the same response name in a document. Validation compares each pair of such fields. */
const MAX_NAMESAKES = 40;

/** Maximum number of documents whose verdict is remembered; the least recently used one is evicted first. */
const MAX_DOCUMENTS = 12_000;
/** Maximum number of characters of these documents together. */
const MAX_CHARACTERS = 8_000_000;
/** Verdict on a document within the limits. */
const SOUND = '';

/** Refuses a document that breaks a limit with 400, `GRAPHQL_VALIDATION_FAILED`, before Apollo sees the document. */
export function addOperationLimits(limits: OperationLimits): AppPart {
  const { maxDocumentLength = MAX_LENGTH } = limits;
  const verdicts = new LRUCache<string, string>({
    max: MAX_DOCUMENTS,
    maxSize: MAX_CHARACTERS,
    sizeCalculation: (_, source) => source.length + 1,
  });

  return (app) =>
    void app.addHook('preHandler', (request, _, done) => {
      const source = readSource(request);
      if (source === undefined) return done();
      const verdict = verdicts.get(source) ?? findBrokenLimit(source, limits) ?? SOUND;
      if (source.length <= maxDocumentLength) verdicts.set(source, verdict);
      if (verdict === SOUND) return done();
      return done(
        new Refusal('GRAPHQL_VALIDATION_FAILED', verdict, { status: 400, bound: 'document' }),
      );
    });
}

/** Reads the document exactly as Apollo does; otherwise a client could have one document measured and another run. */
function readSource(request: FastifyRequest): string | undefined {
  const { method, body } = request;
  if (method === 'GET') return new URLSearchParams(toSearch(request)).get('query') ?? undefined;
  if (typeof body !== 'object' || body === null || !('query' in body)) return undefined;
  return typeof body.query === 'string' ? body.query : undefined;
}

/**
 * Returns a sentence that names the first limit which a document breaks; `undefined` if the document is within the
 * limits. Call before validation, whose cost can be quadratic in the size of the document. Also returns `undefined` for
 * a document with a syntax error or too many tokens: Apollo, which has the same token limit, reports these errors.
 */
function findBrokenLimit(source: string, limits: OperationLimits): string | undefined {
  const { maxDocumentLength = MAX_LENGTH, maxDepth = MAX_DEPTH, maxAliases } = limits;
  const { maxDirectives = MAX_DIRECTIVES, maxMutationFields } = limits;
  if (source.length > maxDocumentLength) return toSentence('characters', maxDocumentLength);

  if (isNestedTooDeeply(source)) return toSentence('brackets within brackets', MAX_NESTING);

  const document = tryParse(source, limits.maxDocumentTokens);
  if (!document) return undefined;

  const { directives, fragments: fragmentCount, longestName, namesakes } = countNodes(document);
  if (fragmentCount > MAX_FRAGMENTS) return toSentence('fragments', MAX_FRAGMENTS);
  if (longestName > MAX_NAME_LENGTH)
    return `The operation has a name of more than ${MAX_NAME_LENGTH} characters.`;
  if (directives > maxDirectives) return toSentence('directives', maxDirectives);
  if (namesakes > MAX_NAMESAKES) return toSentence('fields of one name', MAX_NAMESAKES);

  const fragments = new Fragments(document);
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    const { depth, aliases } = fragments.measure(definition.selectionSet);
    if (depth > maxDepth) return toSentence('levels', maxDepth);
    if (aliases > maxAliases) return toSentence('aliases', maxAliases);
    if (definition.operation !== OperationTypeNode.MUTATION) continue;
    if (findRootFields(document, definition).size > maxMutationFields)
      return toSentence('mutation fields', maxMutationFields);
  }
  return undefined;
}

function toSentence(what: string, max: number): string {
  return `The operation has more than ${max} ${what}.`;
}

function isNestedTooDeeply(source: string): boolean {
  // Fast path: most documents have so few brackets that they cannot be nested too deeply.
  if ((source.match(/[{[(]/g)?.length ?? 0) <= MAX_NESTING) return false;
  let nesting = 0;
  try {
    for (const lexer = new Lexer(new Source(source)); nesting <= MAX_NESTING;) {
      const { kind } = lexer.advance();
      if (kind === TokenKind.EOF) return false;
      if (opening.has(kind)) nesting++;
      if (closing.has(kind)) nesting--;
    }
    return true;
  } catch {
    // The parser fails at the same token, and reports the syntax error.
    return false;
  }
}

const opening = new Set<TokenKind>([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]);
const closing = new Set<TokenKind>([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]);

function tryParse(source: string, maxTokens: number): DocumentNode | undefined {
  try {
    return parse(source, { noLocation: true, maxTokens });
  } catch {
    return undefined;
  }
}

function countNodes(document: DocumentNode) {
  let directives = 0;
  let definitions = 0;
  let longestName = 0;
  const spreads = new Set<string>();
  const counts = new Map<string, number>();
  visit(document, {
    Directive: () => void directives++,
    FragmentDefinition: () => void definitions++,
    FragmentSpread: ({ name }) => void spreads.add(name.value),
    Name: ({ value }) => void (longestName = Math.max(longestName, value.length)),
    Field: ({ alias, name }) => {
      const key = (alias ?? name).value;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    },
  });
  const fragments = Math.max(definitions, spreads.size);
  return { directives, fragments, longestName, namesakes: Math.max(0, ...counts.values()) };
}

interface Extent {
  readonly depth: number;
  readonly aliases: number;
}

/** Measures selection sets of a document. Caches the measures of fragments, so that each fragment is measured once. */
class Fragments {
  readonly #definitions: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly #extents = new Map<string, Extent>();

  constructor(document: DocumentNode) {
    this.#definitions = toFragments(document);
  }

  measure({ selections }: SelectionSetNode): Extent {
    let depth = 0;
    let aliases = 0;
    for (const selection of selections) {
      const inner =
        selection.kind === Kind.FRAGMENT_SPREAD
          ? this.#measureFragment(selection.name.value)
          : selection.selectionSet && this.measure(selection.selectionSet);
      const isField = selection.kind === Kind.FIELD;
      depth = Math.max(depth, (inner?.depth ?? 0) + (isField ? 1 : 0));
      aliases += (inner?.aliases ?? 0) + (isField && selection.alias ? 1 : 0);
    }
    return { depth, aliases };
  }

  #measureFragment(name: string): Extent {
    const known = this.#extents.get(name);
    if (known) return known;
    // Ends the recursion if the fragment spreads itself, which validation refuses later.
    this.#extents.set(name, { depth: 0, aliases: 0 });
    const definition = this.#definitions.get(name);
    const extent = definition ? this.measure(definition.selectionSet) : { depth: 0, aliases: 0 };
    this.#extents.set(name, extent);
    return extent;
  }
}
