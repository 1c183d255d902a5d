import {
  getNamedType,
  getNullableType,
  isLeafType,
  isListType,
  isObjectType,
  isUnionType,
  type GraphQLOutputType,
} from 'graphql';
import type { Logger } from 'pino';
import { RestError, type Ledger } from 'rest-outcome';
import type { CallerIdentity, RequestContext } from '../auth/caller.js';
import { ForbiddenError, Refusal } from '../errors/refusal.js';
import type { Gate, RootContext } from '../execution/root-resolvers.js';
import type { CreateStudyInput, EditStudyInput } from '../study/input.js';
import type { StudyContext } from '../study/resolver.js';
import type { StudyFields } from '../study/wire.js';
import type { OperationContext } from './operation-listener.js';

/** An object that a resolver has returned. */
export interface Shown {
  /** Name of its type in the schema: `Study`, or another type with an `id`. */
  readonly type: string;
  /** Its fields, selected or not; the id alone if an error shows no more. A value that breaks the contract is an `Error`. */
  readonly fields: StudyFields & Readonly<Record<string, unknown>>;
}

/** Action that a caller is about to do, or study that a caller is about to see. */
export interface Action {
  /** Name of the root field, such as `createStudy` or `_entities`; of an added field below it, `Study.title`. */
  readonly operation: string;
  /** Arguments of the field, as a resolver gets them. */
  readonly args: Readonly<Record<string, unknown>> & {
    readonly id?: string;
    readonly input?: Readonly<CreateStudyInput | EditStudyInput>;
    /** The argument of `studies`; the project of an input is in `input`. */
    readonly projectId?: readonly string[] | null;
  };
  /** Set when an object is about to be shown; `undefined` before anything is sent. */
  readonly shown: Shown | undefined;
  /**
   * Reads, by one GET, the study that the argument `id` names, or whose id an error is about to show. `null` if there is no
   * such study, or no such id.
   */
  readonly readStudy: () => Promise<StudyFields | null>;
}

/**
 * Returns whether a caller may do or see something. Anything but `true` refuses with `FORBIDDEN`; so does an error, which
 * is logged without its message.
 */
export type Authorize = (caller: CallerIdentity, action: Action) => boolean | Promise<boolean>;

interface GateContext extends RequestContext, Pick<OperationContext, 'admittedIds'> {
  readonly ledger: RootContext['ledger'] & Pick<Ledger, 'outcomeOf'>;
  at(field: unknown): StudyContext;
}

type Ask = (shown?: Shown) => Promise<boolean>;

/**
 * Creates the gate that asks `authorize` before each resolver is called, and again for each object in its result, or for the
 * id that the error of its write would show.
 */
export function createGate(authorize: Authorize, logger: Logger): Gate {
  return ({ operation, type, isRoot }, call) =>
    async (args: Action['args'], context, name) => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the context of every field of our schemas
      const known = context as GateContext;
      const { requestId, ledger, admittedIds } = known;
      const identity = await known.caller.identity();
      let idToRead = args.id;
      let read: Promise<StudyFields | null> | undefined;
      const readStudy = async (): Promise<StudyFields | null> =>
        idToRead === undefined
          ? null
          : (read ??= known.at(ledger.begin(name, false)).studies.find(idToRead));
      const ask: Ask = async (shown) => {
        try {
          const action = { operation, args, shown, readStudy };
          const admitted: unknown = await authorize(identity, action);
          if (admitted !== true) return false;
          if (typeof shown?.fields.id === 'string') admittedIds?.add(shown.fields.id);
          return true;
        } catch (error) {
          logger.error({ requestId, operation, ...toLogFields(error) }, 'authorize failed');
          return false;
        }
      };
      if (!(await ask()))
        throw isRoot ? new Refusal('FORBIDDEN', 'You may not do this.') : new ForbiddenError();
      try {
        return show(await call(args, context, name), type, ask);
      } catch (error) {
        const { id } = ledger.outcomeOf(name);
        if (id !== undefined) {
          idToRead ??= id;
          await ask({ type: getNamedType(type).name, fields: { id } });
        }
        throw error;
      }
    };
}

/** Omits the message of an error that is not the gateway's: it may quote a token. */
function toLogFields(error: unknown): object {
  if (!(error instanceof Error)) return { error: typeof error };
  const { name, message, stack = '' } = error;
  const at = stack.split('\n').filter((line) => /^ +at /.test(line));
  return { error: name, reason: error instanceof RestError ? message : undefined, at };
}

/**
 * Returns the result of a resolver with an error in the place of each object that the caller may not see. Asks for every
 * object whose type has an `id`, and waits for all promises, which plans do not know.
 *
 * @param above objects that have `value` inside
 */
async function show(
  value: unknown,
  nullableType: GraphQLOutputType,
  ask: Ask,
  above: readonly unknown[] = [],
): Promise<unknown> {
  const type = getNullableType(nullableType);
  if (isLeafType(type) || !isObject(value) || above.includes(value)) return value;
  if (isListType(type)) {
    if (!Array.isArray(value)) throw new TypeError('a list must be an array');
    const showItem = async (item: unknown): Promise<unknown> =>
      show(await item, type.ofType, ask, above);
    return Promise.all(value.map((item: unknown) => showItem(item).catch(toError)));
  }
  const types = isUnionType(type) ? type.getTypes() : [type];
  const [only] = types.length === 1 ? types : [];
  const fields = isObjectType(only) ? only.getFields() : undefined;
  if ((!fields || 'id' in fields) && !(await ask({ type: (only ?? type).name, fields: value })))
    return new ForbiddenError();

  let shown = value;
  for (const { name, type } of Object.values(fields ?? {})) {
    if (isLeafType(getNamedType(type))) continue;
    const before = await value[name];
    const after = await show(before, type, ask, [...above, value]);
    // Not a copy, which would lose the getters of a class.
    if (after !== before) shown = Object.create(shown, { [name]: { value: after } });
  }
  return shown;
}

function isObject(value: unknown): value is Shown['fields'] {
  return Object(value) === value && !(value instanceof Error);
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error('a resolver threw no error', { cause: error });
}
