import { RestError, type Entity, type Entry, type JsonObject, type Step } from 'rest-outcome';
import type { ListArguments } from 'study-gateway-contract';
import { parseExactJson } from '../json/parse-json.js';
import { DriftError, toShownName, type ReportDrift } from './drift.js';
import { createTokenSearch, type TokenSearch } from './plain-text.js';
import { createReadRejection } from './rejection.js';
import { contractNames, toPageQuery, toStudyPage, type StudyPageFields } from './page.js';
import type { StudyContract } from './contract.js';
import type { CreateStudyInput, EditStudyInput } from './input.js';
import { toStudy, type StudyFields } from './wire.js';

/** Maximum number of differences from the contract that one answer reports. */
const MAX_REPORTS = 1_000;

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
    const { places, bodies, written } = this.contract;
    const { path, template } = places.createStudy('');
    const answer = await step.write({
      method: 'POST',
      path,
      template,
      body: bodies.createStudy(input),
      noun: 'study',
      entity: written,
      key: key?.toLowerCase(),
    });
    return this.#toStudy(step, answer);
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
    const { path, template } = places.editStudy(id);
    const answer = await step.write({
      method: 'PATCH',
      path,
      template,
      body: bodies.editStudy(input, id),
      noun: 'study',
      entity: { ...written, isAskedFor: toIsAskedFor(id), askedId: id },
      key: key?.toLowerCase(),
    });
    return this.#toStudy(step, answer);
  }

  /**
   * Reads a study: `GET /studies/{study_id}`, from the public reference. Returns `null` for a 404 of the Study API, and for
   * a `null` that the contract reads as "no such study".
   */
  async find(step: Step, id: string): Promise<StudyFields | null> {
    const { places, shown, isMissing } = this.contract;
    const { path, template } = places.study(id);
    // An answer that says that there is no such study is about the id that was asked for.
    const readId: Entity['readId'] = (answer) => (isMissing(answer) ? id : shown.readId(answer));
    const entity = { readId, isAskedFor: toIsAskedFor(id) };
    try {
      const call = { path, template, noun: 'study', entity };
      const answer = await step.read(call);
      return isMissing(answer) ? null : this.#toStudy(step, answer);
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
    return toStudyPage(toPage(answer), args, this.#toReport(step), this.contract);
  }

  #toStudy(step: Step, answer: JsonObject): StudyFields {
    const { unwrap } = this.contract;
    // Never undefined: the `entity` of the call has found an id in the study.
    const study = toStudy(unwrap(answer)!, this.#toReport(step), this.contract);
    if (study instanceof DriftError) throw study;
    return study;
  }

  /**
   * Returns how one answer reports drift. The Study API chooses the names of unknown fields, so one that contains the token
   * is not shown.
   */
  #toReport(step: Step): ReportDrift {
    let reports = 0;
    let hasToken: TokenSearch | undefined;
    return (name, ...types) => {
      reports += 1;
      if (reports > MAX_REPORTS) return;
      hasToken ??= createTokenSearch(step.sentHeaders());
      const field = contractNames.has(name) ? name : toShownName(name, hasToken);
      this.reportDrift(field, ...types);
    };
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
    const { path, template } = places.study(id);
    return { path, template, noun, entity: { ...shown, isAskedFor: toIsAskedFor(id) } };
  };
}

function toIsAskedFor(id: string): (other: string) => boolean {
  const wanted = id.toLowerCase();
  return (other) => other === id || other.toLowerCase() === wanted;
}
