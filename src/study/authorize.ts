import type { Logger } from 'pino';
import { RestError, type Step } from 'rest-outcome';
import type { Caller, CallerIdentity } from '../auth/caller.js';
import { Refusal, ValueError } from '../errors/refusal.js';
import type { StudyApi } from './api.js';
import type { CreateStudyInput, EditStudyInput } from './input.js';
import type { StudyFields } from './wire.js';

/** Action that a caller is about to do, or its result, which the caller is about to see. */
export interface Action {
  /** Name of the root field, such as `createStudy` or `_entities`. */
  readonly operation: string;
  /** Arguments of the field, as a resolver gets them. */
  readonly args: Readonly<Record<string, unknown>> & {
    readonly id?: string;
    readonly input?: Readonly<CreateStudyInput | EditStudyInput>;
    /** The argument of `studies`; the project of an input is in `input`. */
    readonly projectId?: readonly string[] | null | undefined;
  };
  /**
   * Study that is about to be shown, or its id alone if an error shows no more; `undefined` before anything is sent. A
   * value that breaks the contract is an `Error`.
   */
  readonly result: StudyFields | undefined;
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

/** Asks an {@link Authorize} for the caller of one operation. */
export type Ask = (action: Action) => Promise<boolean>;

/** Creates what the context of an operation has of `authorize`. */
export function createPermission(
  authorize: Authorize,
  caller: Caller,
  requestId: string,
  logger: Pick<Logger, 'error'>,
): { readonly ask: Ask; readonly admittedIds: ReadonlySet<string> } {
  const admittedIds = new Set<string>();
  const ask: Ask = async (action) => {
    const identity = await caller.identity();
    try {
      const isAdmitted: unknown = await authorize(identity, action);
      if (isAdmitted !== true) return false;
      if (typeof action.result?.id === 'string') admittedIds.add(action.result.id);
      return true;
    } catch (error) {
      const { operation } = action;
      logger.error({ requestId, operation, ...toLogFields(error) }, 'authorize failed');
      return false;
    }
  };
  return { ask, admittedIds };
}

/** Omits the message of an error that is not the gateway's: it may quote a token. */
function toLogFields(error: unknown): object {
  if (!(error instanceof Error)) return { error: typeof error };
  const { name, message, stack = '' } = error;
  const at = stack.split('\n').filter((line) => /^ +at /.test(line));
  return { error: name, reason: error instanceof RestError ? message : undefined, at };
}

/** Parts of a `ResolverContext`, which imports this file. */
interface RootContext {
  readonly step: Step;
  readonly studies: StudyApi;
  readonly context: { readonly ask?: Ask | undefined };
}

/** Returns a study that the caller may see, or an error in the place of any other study. */
type See = <Result extends StudyFields | Error | null>(study: Result) => Promise<Result | Error>;

/**
 * Makes the calls of a root field if the caller may. Asks again for each study that `call` passes to `see`, and for the id
 * that an error of a write would show.
 */
export async function authorizeCall<Result>(
  { step, studies, context: { ask } }: RootContext,
  operation: string,
  args: Action['args'],
  call: (see: See) => Promise<Result>,
): Promise<Result> {
  if (!ask) return call(async (study) => study);
  let { id } = args;
  let read: Promise<StudyFields | null> | undefined;
  const readStudy = async () => (id === undefined ? null : (read ??= studies.find(step, id)));
  const isAdmitted = (result?: StudyFields) => ask({ operation, args, result, readStudy });
  if (!(await isAdmitted())) throw new Refusal('FORBIDDEN', 'You may not do this.');
  try {
    return await call(async (study) => {
      const isStudy = study !== null && !(study instanceof Error);
      if (!isStudy || (await isAdmitted(study))) return study;
      return new ValueError('FORBIDDEN', 'You may not see this.');
    });
  } catch (error) {
    const { id: shownId } = step.outcome();
    if (shownId !== undefined) {
      id ??= shownId;
      await isAdmitted({ id: shownId });
    }
    throw error;
  }
}
