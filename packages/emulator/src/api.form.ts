import { toApiName, type Contract } from 'study-gateway-contract';
import { z } from 'zod';
import { put, rename, toNamed } from './names.js';
import { createStudySchema, editStudySchema, progressRequestSchema } from './study.schema.js';

export type ApiForm = ReturnType<typeof createApiForm>;

/** Returns the bodies and answers of an API with this contract. Inside the emulator, fields have their GraphQL names. */
export function createApiForm({ request, answer, verdicts }: Contract) {
  const { applied = [200], rejected, success = {}, reason } = verdicts;
  const [[place, yes] = []] = Object.entries(success);
  const appliedStatus = applied.includes(200) ? 200 : (applied[0] ?? 200);
  const absent: readonly string[] = answer.absent;
  const toRequestName = (field: string): string => toApiName(request, field);

  function toBody(write: 'createStudy' | 'editStudy', shape: z.ZodRawShape) {
    const refused: readonly string[] = request.absent[write];
    const required: readonly string[] = request.required[write];
    const progress = toNamed(progressRequestSchema.shape, (part) =>
      toRequestName(`progress.${part}`),
    );
    const fields = Object.entries({ ...shape, progress: progress.nullable().optional() })
      .filter(([name]) => !refused.includes(name))
      .map(([name, field]) => [name, required.includes(name) ? z.nonoptional(field) : field]);
    return toNamed(Object.fromEntries(fields), toRequestName);
  }

  /** Adds the value that means yes to a successful answer. */
  const accept = (body: object): object => (place === undefined ? body : put(body, place, yes));

  return {
    createBody: toBody('createStudy', createStudySchema.shape).pipe(createStudySchema),
    editBody: toBody('editStudy', editStudySchema.shape).pipe(editStudySchema),
    /** Status of a successful write. */
    appliedStatus,
    toRequestName,
    accept,
    /** Returns a study with the names of the API. */
    toItem(study: Readonly<Record<string, unknown>>): object {
      const { progress } = study;
      const toPart = (part: string): string => toApiName(answer, `progress.${part}`);
      const isObject = typeof progress === 'object' && progress !== null;
      const shown = isObject ? { ...study, progress: rename({ ...progress }, toPart) } : study;
      return rename(shown, (field) =>
        absent.includes(field) ? undefined : toApiName(answer, field),
      );
    },
    /** Returns the answer to one study. */
    toAnswer: (item: object): object =>
      accept(answer.at === undefined ? item : put({}, answer.at, item)),
    /** Returns the body of a refusal or a failure. */
    toRefusal(detail: string | readonly { readonly msg: string }[]): object {
      const isText = typeof detail === 'string';
      const text = isText ? detail : detail.map(({ msg }) => msg).join('; ');
      const body = reason === undefined ? { detail } : put(isText ? {} : { detail }, reason, text);
      return place === undefined ? body : put(body, place, yes === false);
    },
    /** Returns the status of a refusal. An API that refuses with 2xx refuses values so. */
    toRefusedStatus(method: string, status: number): number {
      if (method === 'GET' || status >= 500) return status;
      const isListed = rejected?.includes(status) ?? true;
      if (place !== undefined && (status === 422 || !isListed)) return appliedStatus;
      return isListed ? status : (rejected?.[0] ?? status);
    },
  };
}
