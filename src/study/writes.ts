import type { Outcome } from '../rest/rest-call.js';
import type { StudyFields } from './study.wire.js';

/** One write, and what became of it as far as it is known. */
export interface Write {
  outcome: Outcome;
  /** The Study API's answer; `undefined` until it is there. */
  study?: StudyFields;
}

/**
 * The writes of one operation, by the response name of their root fields. A write is listed from the moment in which it is
 * handed to the REST client: of a field that is not listed, nothing was sent.
 */
export type Writes = ReadonlyMap<string, Readonly<Write>>;
