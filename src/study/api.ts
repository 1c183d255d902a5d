import { RestError, type Entity, type Entry, type JsonObject, type Step } from 'rest-outcome';
import type { ListArguments } from 'study-gateway-contract';
import { parseExactJson } from '../json/parse-json.js';
import { DriftError, type ToDriftError } from './drift.js';
import { createReadRejection } from './rejection.js';
import { toPageQuery, toStudyPage, type StudyPageFields } from './page.js';
import type { StudyContract } from './contract.js';
import type { CreateStudyInput, EditStudyInput } from './input.js';
import { toStudy, type StudyFields } from './wire.js';

/**
 * Calls the Study API, in the name of the root field whose `step` is given. Each method throws `RestError` when its call
 * fails, and a `Refusal` when the gateway refuses an argument.
 */
export class StudyApi {
  constructor(
    private readonly toError: ToDriftError,
    private readonly contract: StudyContract,
  ) {}

  /** Creates a study: `POST /studies`, as documented. */
  async create(step: Step, input: CreateStudyInput, key?: string | null): Promise<StudyFields> {
    const { places, bodies, written } = this.contract;
    const answer = await step.write({
      method: 'POST',
      ...places.createStudy(''),
      body: bodies.createStudy(input),
      noun: 'study',
      entity: written,
      key: key?.toLowerCase(),
    });
    return this.#toStudy(answer);
  }

  /**
   * Edits a study: `PATCH /studies/{study_id}`, as documented. Omitted fields of `input` are not sent; whether the
   * Study API leaves these fields unchanged is not documented.
   */
  async edit(
    step: Step,
    id: string,
    input: EditStudyInput,
    key?: string | null,
  ): Promise<StudyFields> {
    const { places, bodies, written } = this.contract;
    const answer = await step.write({
      method: 'PATCH',
      ...places.editStudy(id),
      body: bodies.editStudy(input, id),
      noun: 'study',
      entity: { ...written, isAskedFor: toIsAskedFor(id), askedId: id },
      key: key?.toLowerCase(),
    });
    return this.#toStudy(answer);
  }

  /**
   * Reads a study: `GET /studies/{study_id}`, from the public reference. Returns `null` for a 404 of the Study API, and for
   * a `null` that the contract reads as "no such study".
   */
  async find(step: Step, id: string): Promise<StudyFields | null> {
    const { places, shown, isMissing } = this.contract;
    // An answer that says that there is no such study is about the id that was asked for.
    const readId: Entity['readId'] = (answer) => (isMissing(answer) ? id : shown.readId(answer));
    const entity = { readId, isAskedFor: toIsAskedFor(id) };
    try {
      const answer = await step.read({ ...places.study(id), noun: 'study', entity });
      return isMissing(answer) ? null : this.#toStudy(answer);
    } catch (error) {
      const isNotFound = error instanceof RestError && error.failure === 'notFound';
      // Not for 410: it says that there was such a study.
      if (isNotFound && error.status === 404) return null;
      throw error;
    }
  }

  /**
   * Lists studies: `GET /studies`, from the public reference. The format of a page is inferred.
   *
   * @throws Refusal before the call, when an argument is out of range
   * @throws DriftError when the answer is not the page that `args` request
   */
  async list(step: Step, args: ListArguments): Promise<StudyPageFields> {
    const { places, toPage } = this.contract;
    const { path, template } = places.studies('');
    const query = toPageQuery(args, this.contract);
    const call = { path: path + query, template, noun: 'page of studies', arrayAs: 'items' };
    const answer = await step.read(call);
    return toStudyPage(toPage(answer), args, this.toError, this.contract);
  }

  #toStudy(answer: JsonObject): StudyFields {
    const { unwrap } = this.contract;
    // Never undefined: the `entity` of the call has found an id in the study.
    const study = toStudy(unwrap(answer)!, this.toError, this.contract);
    if (study instanceof DriftError) throw study;
    return study;
  }
}

/** Returns the options of a client of the Study API that follow from its contract. */
export function toClientOptions(contract: StudyContract) {
  const { toVerdict, toBodyVerdict, keyHeader } = contract;
  const readRejection = createReadRejection(contract);
  return { parse: parseExactJson, readRejection, toVerdict, toBodyVerdict, keyHeader };
}

/** Creates the function that returns the read of the study that a write has made. It throws if the API has no such read. */
export function createReadWritten({ places, shown }: StudyContract) {
  return (id: string, { noun }: Entry) => {
    if (noun !== 'study') return undefined;
    return { ...places.study(id), noun, entity: { ...shown, isAskedFor: toIsAskedFor(id) } };
  };
}

function toIsAskedFor(id: string): (other: string) => boolean {
  const wanted = id.toLowerCase();
  return (other) => other === id || other.toLowerCase() === wanted;
}
