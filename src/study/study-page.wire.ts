import { z } from 'zod';
import { isJsonObject } from '../rest/json-body.js';
import type { JsonObject } from '../rest/rest-call.js';
import type { PageArguments } from './study-page.query.js';
import { StudyContractError } from './study.errors.js';
import {
  integer,
  readFields,
  toStudy,
  toTypeName,
  type ReportDrift,
  type StudyFields,
  type ToContractError,
} from './study.wire.js';

/** The page of fastapi-pagination. That the Study API has such pages is inferred. */
const numbersSchema = z.object({
  page: integer.nullish(),
  size: integer.nullish(),
  total: integer.nullish(),
  pages: integer.nullish(),
});

const knownNames = new Set(['items', ...Object.keys(numbersSchema.shape)]);

/** A page as GraphQL reads it. An item, or a number, that breaks the contract is an error in its own place. */
export interface StudyPageFields {
  readonly items: readonly (StudyFields | StudyContractError)[];
  readonly page?: unknown;
  readonly size?: unknown;
  readonly total?: unknown;
  readonly pages?: unknown;
}

/**
 * Reads a page of studies as tolerantly as a study.
 *
 * @throws StudyContractError when the answer is no page, or not the page that was asked for
 */
export function toStudyPage(
  answer: JsonObject,
  asked: PageArguments,
  reportDrift: ReportDrift,
): StudyPageFields {
  const toError: ToContractError = (...drift) => {
    reportDrift(...drift);
    return new StudyContractError(...drift, false, undefined);
  };
  for (const name in answer)
    if (!knownNames.has(name)) reportDrift(name, 'nothing', toTypeName(answer[name]));

  const { items } = answer;
  if (!Array.isArray(items)) throw toError('items', 'an array', toTypeName(items));
  assertAskedPage(answer, asked, items.length, toError);
  const studies = items.map((item: unknown) =>
    isJsonObject(item)
      ? toStudy(item, false, reportDrift)
      : toError('items', 'a study', toTypeName(item)),
  );
  assertAskedProjects(studies, asked, toError);
  return { ...readFields(numbersSchema.shape, answer, String, toError), items: studies };
}

/** A page that does not say its number, such as a bare array, can only be the first. */
function assertAskedPage(
  { page, size }: JsonObject,
  asked: PageArguments,
  itemCount: number,
  toError: ToContractError,
): void {
  const askedPage = asked.page ?? 1;
  const isAskedPage = typeof page === 'number' ? page === askedPage : askedPage === 1;
  if (!isAskedPage) {
    const received = typeof page === 'number' ? 'another page' : toTypeName(page);
    throw toError('page', 'the page asked for', received);
  }
  const maxItems = asked.size ?? size;
  if (typeof maxItems === 'number' && itemCount > maxItems)
    throw toError('items', 'a page of its size', 'a longer page');
}

/** A server may ignore a filter that it does not know: then the page has studies of other projects. */
function assertAskedProjects(
  studies: readonly (StudyFields | StudyContractError)[],
  { projectId: asked }: PageArguments,
  toError: ToContractError,
): void {
  if (!asked) return;
  const projects = new Set(asked.map((id) => id.toLowerCase()));
  const isOfAnother = (study: StudyFields | StudyContractError): boolean =>
    'projectId' in study &&
    typeof study.projectId === 'string' &&
    !projects.has(study.projectId.toLowerCase());
  if (studies.some(isOfAnother))
    throw toError('projectId', 'one of the projects asked for', 'another project');
}
