import type { Outcome } from '../rest/rest-call.js';
import type { StudyFields } from './study.wire.js';

/** A write, with its outcome as far as it is known. */
export interface Write {
  outcome: Outcome;
  /** The study in the Study API's answer; `undefined` until a readable answer has come. */
  study?: StudyFields;
}

/**
 * The writes of one operation, by the response name of their root fields. A write is listed before the REST client gets
 * the call, so a root field that is not listed has sent nothing.
 */
export type Writes = ReadonlyMap<string, Readonly<Write>>;
