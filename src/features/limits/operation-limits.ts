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
import { findRootFields, toFragments } from '../../graphql/root-fields.js';

/** Limits of one document. */
export interface OperationLimits {
  /** In characters. */
  readonly maxDocumentLength: number;
  readonly maxDocumentTokens: number;
  /** Fields within fields, through fragments. */
  readonly maxDepth: number;
  /** Fields with an alias, through fragments, each as often as its fragment is spread. */
  readonly maxAliases: number;
  readonly maxDirectives: number;
  /** Different root fields of one mutation, by response name, through fragments: each is a REST call. */
  readonly maxMutationFields: number;
}

/** The longest name, in characters: names come back in the messages and paths of errors. */
const MAX_NAME_LENGTH = 128;
/** Brackets within brackets, and fragments: graphql-js follows both on the call stack. */
const MAX_NESTING = 50;
const MAX_FRAGMENTS = 50;
/** Fields with the same response name in one document: validation compares each with each. */
const MAX_NAMESAKES = 40;

/**
 * Says which limit a document breaks, in a sentence; `undefined` when it breaks none. It is one pass, meant
 * to be made before validation, which may cost the square of a document's size. A document that cannot be
 * parsed, or only up to its last allowed token, breaks none: Apollo, which is given the same limit, says what is wrong.
 */
export function findBrokenLimit(source: string, limits: OperationLimits): string | undefined {
  const { maxDocumentLength, maxDepth, maxAliases, maxDirectives, maxMutationFields } = limits;
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
  // Most documents have fewer brackets than that, and need no second look.
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
    // The parser fails at the same token.
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
  let fragments = 0;
  let longestName = 0;
  const counts = new Map<string, number>();
  visit(document, {
    Directive: () => void directives++,
    FragmentDefinition: () => void fragments++,
    Name: ({ value }) => void (longestName = Math.max(longestName, value.length)),
    Field: ({ alias, name }) => {
      const key = (alias ?? name).value;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    },
  });
  return { directives, fragments, longestName, namesakes: Math.max(0, ...counts.values()) };
}

interface Extent {
  readonly depth: number;
  readonly aliases: number;
}

/** The fragments of a document, each measured once however often it is spread. */
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
    // Stands while the fragment is being measured: one that spreads itself is for validation to refuse.
    this.#extents.set(name, { depth: 0, aliases: 0 });
    const definition = this.#definitions.get(name);
    const extent = definition ? this.measure(definition.selectionSet) : { depth: 0, aliases: 0 };
    this.#extents.set(name, extent);
    return extent;
  }
}
