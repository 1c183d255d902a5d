import { AnswerRoom } from '../rest/answer-budget.js';
import { RestError, RestStatusError } from '../rest/errors.js';
import type { Idempotency, JsonObject, RestCall } from '../rest/rest-call.js';
import type { RestSender } from '../rest/rest-client.js';
import { RestTally } from '../rest/rest-tally.js';
import { maskedDrift } from './drift-log.js';
import { isNamedAs } from './field-name.js';
import { toPageQuery, type PageArguments } from './study-page.query.js';
import { toStudyPage, type StudyPageFields } from './study-page.wire.js';
import { IdempotencyKeyError } from './study.errors.js';
import type { CreateStudyInput, EditStudyInput } from './study.input.js';
import { toBody, toStudy, type ReportDrift, type StudyFields } from './study.wire.js';
import type { Write, Writes } from './writes.js';

/** Identity and token of the client on whose behalf the gateway calls the Study API. */
export interface Caller {
  /**
   * Returns the bearer token for the Study API. Fails when the caller cannot be authenticated, or when `isWrite` is set
   * and the caller may only read.
   */
  token(isWrite: boolean): string | Promise<string>;
  /** Returns the id of the caller, the scope of its idempotency keys. Fails when the caller cannot be authenticated. */
  callerId(): string | Promise<string>;
  /**
   * Returns a pseudonym of the caller for logs: 16 characters of a hash, equal in all operations of the caller.
   * `undefined` if no token of the caller has been accepted. Never throws.
   */
  logId(): string | undefined;
  readonly requestId: string;
}

/** 1 to 255 characters of visible ASCII, which an HTTP header carries unchanged. */
const IDEMPOTENCY_KEY = /^[!-~]{1,255}$/;

interface StudyCall {
  readonly method: RestCall['method'];
  readonly path: string;
  readonly template: string;
  readonly arrayAs?: string;
}

/** Converts the answer of a call to its result. `record` describes the write; reads ignore the parameter. */
type Read<Result> = (answer: JsonObject, record: Write) => Result;

/** Properties of a REST call that only writes have. */
interface WriteCall {
  /** Response name of the mutation field that makes the call. */
  readonly field: string;
  readonly operation: 'createStudy' | 'editStudy';
  readonly input: CreateStudyInput | EditStudyInput;
  readonly key: string | null | undefined;
}

/**
 * Calls the Study API for one GraphQL operation. Each method throws `RestError` when its call fails, and an error of
 * study.errors.ts when the gateway refuses an argument.
 */
export class StudyApi {
  readonly tally = new RestTally();
  readonly #writes = new Map<string, Write>();
  /** Token of the latest call. */
  #token = '';
  /** Memory reserved for the answers of the operation. Call its `end` when the GraphQL response has been written. */
  readonly room = new AnswerRoom();

  constructor(
    private readonly rest: RestSender,
    private readonly caller: Caller,
    private readonly reportDrift: ReportDrift,
  ) {}

  /** Reports drift, but does not name a field that is named as the token. */
  readonly #report: ReportDrift = (...drift) =>
    maskedDrift(this.reportDrift, (name) => isNamedAs(name, this.#token))(...drift);

  get writes(): Writes {
    return this.#writes;
  }

  /**
   * Creates a study: `POST /studies`, as documented.
   *
   * @param field response name of the mutation field; `writes` lists the call by this name
   */
  create(field: string, input: CreateStudyInput, key?: string | null): Promise<StudyFields> {
    const call: StudyCall = { method: 'POST', path: '/studies', template: '/studies' };
    return this.#write(call, { field, operation: 'createStudy', input, key });
  }

  /**
   * Edits a study: `PATCH /studies/{study_id}`, as documented. Omitted fields of `input` are not sent; whether the
   * Study API leaves these fields unchanged is not documented.
   *
   * @param field response name of the mutation field; `writes` lists the call by this name
   */
  edit(
    field: string,
    id: string,
    input: EditStudyInput,
    key?: string | null,
  ): Promise<StudyFields> {
    const call: StudyCall = { method: 'PATCH', ...toPath(id) };
    return this.#write(call, { field, operation: 'editStudy', input, key });
  }

  /** Reads a study: `GET /studies/{study_id}`, from the public reference. Returns `null` for a 404. */
  async find(id: string): Promise<StudyFields | null> {
    const call: StudyCall = { method: 'GET', ...toPath(id) };
    try {
      return await this.#send(call, (answer) => toStudy(answer, false, this.#report));
    } catch (error) {
      if (error instanceof RestStatusError && error.status === 404) return null;
      throw error;
    }
  }

  /**
   * Lists studies: `GET /studies`, from the public reference. The format of a page is inferred.
   *
   * @throws PageArgumentError before the call, when an argument is out of range
   * @throws StudyContractError when the answer is not the page that `args` request
   */
  async list(args: PageArguments): Promise<StudyPageFields> {
    const path = `/studies${toPageQuery(args)}`;
    const call: StudyCall = { method: 'GET', path, template: '/studies', arrayAs: 'items' };
    return this.#send(call, (answer) => toStudyPage(answer, args, this.#report));
  }

  #write(call: StudyCall, write: WriteCall): Promise<StudyFields> {
    return this.#send(
      call,
      (answer, record) => (record.study = toStudy(answer, true, this.#report)),
      write,
    );
  }

  async #send<Result>(study: StudyCall, read: Read<Result>, write?: WriteCall): Promise<Result> {
    const { caller, tally, room } = this;
    const key = write?.key ?? undefined;
    const idempotency =
      write && key !== undefined ? await this.#toIdempotency(write.operation, key) : undefined;
    const body = write && toBody(write.input);
    const given = caller.token(write !== undefined);
    // Awaits promises only: awaiting a string would cost a microtask, and most tokens are strings.
    const token = typeof given === 'string' ? given : await given;
    this.#token = token;
    const { requestId } = caller;
    const record: Write = { outcome: 'UNKNOWN' };
    if (write) this.#writes.set(write.field, record);
    tally.begin();
    try {
      const answer = await this.rest.send({ ...study, token, requestId, body, idempotency, room });
      record.outcome = 'APPLIED';
      tally.accepted += 1;
      return read(answer, record);
    } catch (error) {
      if (error instanceof RestError) record.outcome = error.outcome;
      throw error;
    } finally {
      tally.end();
    }
  }

  async #toIdempotency(operation: string, key: string): Promise<Idempotency> {
    if (!IDEMPOTENCY_KEY.test(key)) throw new IdempotencyKeyError();
    return { key, operation, callerId: await this.caller.callerId() };
  }
}

/** GraphQL has checked that the id is a UUID; encoding the id is a second defence against injection into the URL. */
function toPath(id: string): Pick<StudyCall, 'path' | 'template'> {
  return { path: `/studies/${encodeURIComponent(id)}`, template: '/studies/{study_id}' };
}
