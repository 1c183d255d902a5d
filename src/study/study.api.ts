import { AnswerRoom } from '../rest/answer-budget.js';
import { RestError, RestStatusError } from '../rest/errors.js';
import type { Idempotency, JsonObject, RestCall } from '../rest/rest-call.js';
import type { RestSender } from '../rest/rest-client.js';
import { RestTally } from '../rest/rest-tally.js';
import { toPageQuery, type PageArguments } from './study-page.query.js';
import { toStudyPage, type StudyPageFields } from './study-page.wire.js';
import { IdempotencyKeyError } from './study.errors.js';
import type { CreateStudyInput, EditStudyInput } from './study.input.js';
import { toBody, toStudy, type ReportDrift, type StudyFields } from './study.wire.js';
import type { Write, Writes } from './writes.js';

/** On whose behalf the Study API is called. */
export interface Caller {
  /** The bearer token for the Study API. Throws when there is none for this caller, or none to write with. */
  token(isWrite: boolean): string | Promise<string>;
  /** Tells callers apart whose idempotency keys are not each other's. Throws like `token`. */
  callerId(): string | Promise<string>;
  /**
   * Names the caller in logs, the same one always by the same 16 characters, from which nothing can be read back.
   * `undefined` while nobody has proved to be one. Never throws.
   */
  logId(): string | undefined;
  readonly requestId: string;
}

/** Visible ASCII, as a header carries it unchanged. */
const IDEMPOTENCY_KEY = /^[!-~]{1,255}$/;

interface StudyCall {
  readonly method: RestCall['method'];
  readonly path: string;
  readonly template: string;
  readonly arrayAs?: string;
}

/** Reads the answer of a call; `record` is the write, or of no use. */
type Read<Result> = (answer: JsonObject, record: Write) => Result;

/** The part of a call that only writes have. */
interface WriteCall {
  /** The response name of the root field that asks for the write. */
  readonly field: string;
  readonly operation: 'createStudy' | 'editStudy';
  readonly input: CreateStudyInput | EditStudyInput;
  readonly key: string | null | undefined;
}

/** The Study API's operations on studies, for one caller. All of them throw `RestError`. */
export class StudyApi {
  readonly tally = new RestTally();
  readonly #writes = new Map<string, Write>();
  /** Must be ended when the response was written. */
  readonly room = new AnswerRoom();

  constructor(
    private readonly rest: RestSender,
    private readonly caller: Caller,
    private readonly reportDrift: ReportDrift,
  ) {}

  get writes(): Writes {
    return this.#writes;
  }

  /**
   * `POST /studies` (document).
   *
   * @param field response name under which `writes` lists the call
   */
  create(field: string, input: CreateStudyInput, key?: string | null): Promise<StudyFields> {
    const call: StudyCall = { method: 'POST', path: '/studies', template: '/studies' };
    return this.#write(call, { field, operation: 'createStudy', input, key });
  }

  /**
   * `PATCH /studies/{study_id}` (document). What an omitted field means is the Study API's to say.
   *
   * @param field response name under which `writes` lists the call
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

  /** `GET /studies/{study_id}` (reference); `null` when the Study API answers 404. */
  async find(id: string): Promise<StudyFields | null> {
    const call: StudyCall = { method: 'GET', ...toPath(id) };
    try {
      return await this.#send(call, (answer) => toStudy(answer, false, this.reportDrift));
    } catch (error) {
      if (error instanceof RestStatusError && error.status === 404) return null;
      throw error;
    }
  }

  /**
   * `GET /studies` (reference; the shape of a page is inferred).
   *
   * @throws PageArgumentError before the call
   * @throws StudyContractError when the answer is not the page that was asked for
   */
  async list(args: PageArguments): Promise<StudyPageFields> {
    const path = `/studies${toPageQuery(args)}`;
    const call: StudyCall = { method: 'GET', path, template: '/studies', arrayAs: 'items' };
    return this.#send(call, (answer) => toStudyPage(answer, args, this.reportDrift));
  }

  #write(call: StudyCall, write: WriteCall): Promise<StudyFields> {
    return this.#send(
      call,
      (answer, record) => (record.study = toStudy(answer, true, this.reportDrift)),
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
    // Most tokens are at hand; what is awaited costs a turn.
    const token = typeof given === 'string' ? given : await given;
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

/** The id is a UUID by now; it is encoded all the same, because this is where it becomes a path. */
function toPath(id: string): Pick<StudyCall, 'path' | 'template'> {
  return { path: `/studies/${encodeURIComponent(id)}`, template: '/studies/{study_id}' };
}
