import type { RestCall } from '../rest/rest-call.js';

/** The path of a call without its ids, as the document writes it: `/studies/{study_id}`. */
export function toPathTemplate({ path }: RestCall): string {
  return path.replace(/^\/studies\/.+$/, '/studies/{study_id}');
}

/** `PATCH /studies/{study_id}`: one for each operation of the Study API. */
export function toRoute(call: RestCall): string {
  return `${call.method} ${toPathTemplate(call)}`;
}
