import type { RestCall } from '../rest/rest-call.js';

/** `PATCH /studies/{study_id}`: one for each operation of the Study API. */
export function toRoute({ method, template }: RestCall): string {
  return `${method} ${template}`;
}
