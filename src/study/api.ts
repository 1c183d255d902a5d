import { RestError, type Entity, type Entry, type JsonObject, type Step } from 'rest-outcome';
import type { ListArguments } from 'study-gateway-contract';
import { parseExactJson } from '../json/parse-json.js';
import { DriftError, type ReportDrift } from './drift.js';
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
    private readonly reportDrift: ReportDrift,
    private readonly contract: StudyContract,
  ) {}

  /** Creates a study: `POST /studies`, as documented. */
  async create(step: Step, input: CreateStudyInput, key?: string | null): Promise<StudyFields> {
    const { endpoints, bodies, ofWrite } = this.contract;
    const answer = await step.write({
      method: 'POST',
      ...endpoints.createStudy(''),
      body: bodies.createStudy(input),
      noun: 'study',
      entity: ofWrite,
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
    const { endpoints, bodies, ofWrite } = this.contract;
    const answer = await step.write({
      method: 'PATCH',
      ...endpoints.editStudy(id),
      body: bodies.editStudy(input, id),
      noun: 'study',
      entity: { ...ofWrite, isAskedFor: toIsAskedFor(id), askedId: id },
      key: key?.toLowerCase(),
    });
    return this.#toStudy(answer);
  }

  /**
   * Reads a study: `GET /studies/{study_id}`, from the public reference. Returns `null` for a 404 of the Study API, and for
   * a `null` that the contract reads as "no such study".
   */
  async find(step: Step, id: string): Promise<StudyFields | null> {
    const { endpoints, ofRead, isMissing } = this.contract;
    // An answer that says that there is no such study is about the id that was asked for.
    const readId: Entity['readId'] = (answer) => (isMissing(answer) ? id : ofRead.readId(answer));
    const entity = { readId, isAskedFor: toIsAskedFor(id) };
    try {
      const answer = await step.read({ ...endpoints.study(id), noun: 'study', entity });
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
    const { endpoints, toPage } = this.contract;
    const { path, template } = endpoints.studies('');
    const query = toPageQuery(args, this.contract);
    const call = { path: path + query, template, noun: 'page of studies', arrayAs: 'items' };
    const answer = await step.read(call);
    return toStudyPage(toPage(answer), args, this.reportDrift, this.contract);
  }

  #toStudy(answer: JsonObject): StudyFields {
    const { unwrap } = this.contract;
    // Never undefined: the `entity` of the call has found an id in the study.
    const study = toStudy(unwrap(answer)!, this.reportDrift, this.contract);
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

/** Creates the function that returns the call that looks up what a write has made. It throws if the API has no such call. */
export function createLookup({ endpoints, ofRead }: StudyContract) {
  return (id: string, { noun }: Entry) => {
    if (noun !== 'study') return undefined;
    return { ...endpoints.study(id), noun, entity: { ...ofRead, isAskedFor: toIsAskedFor(id) } };
  };
}

function toIsAskedFor(id: string): (other: string) => boolean {
  const wanted = id.toLowerCase();
  return (other) => other === id || other.toLowerCase() === wanted;
}
