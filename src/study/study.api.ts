import { RestStatusError } from '../rest/errors.js';
import type { Idempotency, RestCall } from '../rest/rest-call.js';
import type { RestClient } from '../rest/rest-client.js';
import { IdempotencyKeyError } from './study.errors.js';
import type { CreateStudyInput, EditStudyInput } from './study.input.js';
import { toBody, toStudy, type ReportDrift, type StudySource } from './study.wire.js';

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

/** The Study API's operations on studies, for one caller. All of them throw `RestError`. */
export class StudyApi {
  constructor(
    private readonly rest: Pick<RestClient, 'send'>,
    private readonly caller: Caller,
    private readonly reportDrift: ReportDrift,
  ) {}

  /** `POST /studies` (document). */
  async create(input: CreateStudyInput, idempotencyKey?: string | null): Promise<StudySource> {
    const idempotency = await this.#toIdempotency('createStudy', idempotencyKey);
    return this.#send({ method: 'POST', path: '/studies', body: toBody(input), idempotency });
  }

  /** `PATCH /studies/{study_id}` (document). What an omitted field means is the Study API's to say. */
  async edit(
    id: string,
    input: EditStudyInput,
    idempotencyKey?: string | null,
  ): Promise<StudySource> {
    const idempotency = await this.#toIdempotency('editStudy', idempotencyKey);
    return this.#send({ method: 'PATCH', path: toPath(id), body: toBody(input), idempotency });
  }

  /** `GET /studies/{study_id}` (reference); `null` when the Study API answers 404. */
  async find(id: string): Promise<StudySource | null> {
    try {
      return await this.#send({ method: 'GET', path: toPath(id) });
    } catch (error) {
      if (error instanceof RestStatusError && error.status === 404) return null;
      throw error;
    }
  }

  async #send(call: Omit<RestCall, 'token' | 'requestId'>): Promise<StudySource> {
    const { requestId } = this.caller;
    const isWrite = call.method !== 'GET';
    const token = await this.caller.token(isWrite);
    const answer = await this.rest.send({ ...call, token, requestId });
    return toStudy(answer, isWrite, this.reportDrift);
  }

  async #toIdempotency(
    operation: string,
    key: string | null | undefined,
  ): Promise<Idempotency | undefined> {
    if (key === undefined || key === null) return undefined;
    if (!IDEMPOTENCY_KEY.test(key)) throw new IdempotencyKeyError();
    return { key, operation, callerId: await this.caller.callerId() };
  }
}

/** The id is a UUID by now; it is encoded all the same, because this is where it becomes a path. */
function toPath(id: string): string {
  return `/studies/${encodeURIComponent(id)}`;
}
