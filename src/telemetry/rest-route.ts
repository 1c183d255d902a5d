import type { RestCall } from '../rest/rest-call.js';

/** Method and path template, one for each operation of the Study API: `PATCH /studies/{study_id}`. */
export function toRoute({ method, template }: RestCall): string {
  return `${method} ${template}`;
}
