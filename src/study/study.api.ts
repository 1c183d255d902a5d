import { RestStatusError } from '../rest/errors.js';
import type { RestCall } from '../rest/rest-call.js';
import type { RestClient } from '../rest/rest-client.js';
import type { CreateStudyInput, EditStudyInput } from './study.input.js';
import { toBody, toStudy, type ReportDrift, type StudySource } from './study.wire.js';

/** On whose behalf the Study API is called. */
export interface Caller {
  /** The bearer token for the Study API. Throws when the caller has none. */
  token(): string;
  readonly requestId: string;
}

/** The Study API's operations on studies, for one caller. All of them throw `RestError`. */
export class StudyApi {
  constructor(
    private readonly rest: RestClient,
    private readonly caller: Caller,
    private readonly reportDrift: ReportDrift,
  ) {}

  /** `POST /studies` (document). */
  async create(input: CreateStudyInput): Promise<StudySource> {
    return this.#send('POST', '/studies', toBody(input));
  }

  /** `PATCH /studies/{study_id}` (document). What an omitted field means is the Study API's to say. */
  async edit(id: string, input: EditStudyInput): Promise<StudySource> {
    return this.#send('PATCH', toPath(id), toBody(input));
  }

  /** `GET /studies/{study_id}` (reference); `null` when the Study API answers 404. */
  async find(id: string): Promise<StudySource | null> {
    try {
      return await this.#send('GET', toPath(id));
    } catch (error) {
      if (error instanceof RestStatusError && error.status === 404) return null;
      throw error;
    }
  }

  async #send(method: RestCall['method'], path: string, body?: string): Promise<StudySource> {
    const answer = await this.rest.send({
      method,
      path,
      token: this.caller.token(),
      requestId: this.caller.requestId,
      ...(body !== undefined && { body }),
    });
    return toStudy(answer, method !== 'GET', this.reportDrift);
  }
}

/** The id is a UUID by now; it is encoded all the same, because this is where it becomes a path. */
function toPath(id: string): string {
  return `/studies/${encodeURIComponent(id)}`;
}
