import { RestError, type Entity, type Entry, type JsonObject, type Step } from 'rest-outcome';
import { parseExactJson } from '../json/parse-json.js';
import { toShownName } from './drift.js';
import { createReadRejection, createTokenSearch, type TokenSearch } from './rejection.js';
import { toPageQuery, toStudyPage, type PageArguments, type StudyPageFields } from './page.js';
import type { StudyContract } from './contract.js';
import { DriftError } from './drift-error.js';
import type { CreateStudyInput, EditStudyInput } from './input.js';
import { toStudy, type ReportDrift, type StudyFields } from './wire.js';

/** Maximum number of differences from the contract that the calls of one root field report. */
const MAX_REPORTS = 1_000;

/**
 * Calls the Study API for one root field of a GraphQL operation. Each method throws `RestError` when its call fails, and an
 * `Refusal` when the gateway refuses an argument.
 */
export class StudyApi {
  constructor(
    private readonly step: Step,
    private readonly reportDrift: ReportDrift,
    private readonly contract: StudyContract,
  ) {}

  #reports = 0;
  #hasToken: TokenSearch | undefined;

  /** Reports drift. The Study API chooses the names of unknown fields, so one that contains the token is not shown. */
  readonly #report: ReportDrift = (name, ...types) => {
    this.#reports += 1;
    if (this.#reports > MAX_REPORTS) return;
    this.#hasToken ??= createTokenSearch(this.step.sentHeaders());
    this.reportDrift(toShownName(name, this.#hasToken), ...types);
  };

  /** Creates a study: `POST /studies`, as documented. */
  async create(input: CreateStudyInput, key?: string | null): Promise<StudyFields> {
    const { places, bodies, written } = this.contract;
    const { path, template } = places.createStudy('');
    const answer = await this.step.write({
      method: 'POST',
      path,
      template,
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
  async edit(id: string, input: EditStudyInput, key?: string | null): Promise<StudyFields> {
    const { places, bodies, written } = this.contract;
    const { path, template } = places.editStudy(id);
    const answer = await this.step.write({
      method: 'PATCH',
      path,
      template,
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
  async find(id: string): Promise<StudyFields | null> {
    const { places, shown, isMissing } = this.contract;
    const { path, template } = places.study(id);
    // An answer that says that there is no such study is about the id that was asked for.
    const readId: Entity['readId'] = (answer) => (isMissing?.(answer) ? id : shown.readId(answer));
    const entity = { readId, isAskedFor: toIsAskedFor(id) };
    try {
      const call = { path, template, noun: 'study', entity };
      const answer = await this.step.read(call);
      return isMissing?.(answer) ? null : this.#toStudy(answer);
    } catch (error) {
      const isMissing = error instanceof RestError && error.failure === 'notFound';
      // Not for 410, which does not say that there was such a study.
      if (isMissing && error.status === 404) return null;
      throw error;
    }
  }

  /**
   * Lists studies: `GET /studies`, from the public reference. The format of a page is inferred.
   *
   * @throws Refusal before the call, when an argument is out of range
   * @throws DriftError when the answer is not the page that `args` request
   */
  async list(args: PageArguments): Promise<StudyPageFields> {
    const { places, toPage } = this.contract;
    const { path, template } = places.studies('');
    const query = toPageQuery(args, this.contract);
    const call = { path: path + query, template, noun: 'page of studies', arrayAs: 'items' };
    const answer = await this.step.read(call);
    const page = toPage ? toPage(answer) : answer;
    return toStudyPage(page, args, this.#report, this.contract);
  }

  #toStudy(answer: JsonObject): StudyFields {
    const { unwrap } = this.contract;
    // Never undefined: the `entity` of the call has found an id in the study.
    const study = toStudy((unwrap ? unwrap(answer) : answer)!, this.#report, this.contract);
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
    const { path, template } = places.study(id);
    return { path, template, noun, entity: { ...shown, isAskedFor: toIsAskedFor(id) } };
  };
}

function toIsAskedFor(id: string): (other: string) => boolean {
  const wanted = id.toLowerCase();
  return (other) => other === id || other.toLowerCase() === wanted;
}
