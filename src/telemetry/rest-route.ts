import type { RestCall } from '../rest/rest-call.js';

/** Returns the name of a call in metrics and traces, its method and path template: `PATCH /studies/{study_id}`. */
export function toRoute({ method, template }: RestCall): string {
  return `${method} ${template}`;
}
