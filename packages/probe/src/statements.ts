import { answerNames, type FieldName, type OperationName } from 'study-gateway-contract';
import { open, type Evidence, type Judge, type Verdict } from './evidence.js';
import { toClaim, toSource, type Source } from './fields.js';
import { createJudges } from './judge-creates.js';
import { editJudges } from './judge-edits.js';
import { judgeField, studyJudges } from './judge-studies.js';
import { httpJudges } from './judge-http.js';
import { listJudges } from './judge-lists.js';

/** One thing that is asked of an API: a statement that holds, or does not. */
interface Statement {
  /** Never changes: programs find the statement by it in the JSON report. */
  readonly id: string;
  readonly claim: string;
  readonly source: Source;
  readonly askedBy: 'reading' | 'writing';
  /** Operations that rely on it. */
  readonly operations: readonly OperationName[];
  /** Place in the contract file that can say otherwise. */
  readonly line?: string | undefined;
}

export type Judged = Statement & Verdict;

/** Id, place in the contract, and claim of each statement, below how it is asked, its source and its operations. */
const table = `
reading document createStudy editStudy study studies
http.found      |                           | The operations are below the address in "STUDY_API_URL".
http.answer     |                           | An answer with success is one whole JSON text.
auth.bearer     |                           | The API accepts the token in "Authorization: Bearer".
error.reason    | /verdicts/reason          | A refusal says why in a form that the gateway reads.
error.status    | /verdicts                 | What is wrong is refused with a 4xx.
reading assumed study studies
auth.none       |                           | A read without a token is answered 401.
auth.wrong      |                           | A read with a wrong token is answered 401.
writing assumed editStudy
refuse.token    |                           | An edit with a wrong token is answered 401.
reading inferred studies
list.exists     | /operations/studies       | "GET /studies" lists studies.
list.items      | /operations/studies/items | The studies of a page are in "items", or the page is an array.
list.numbers    | /operations/studies/numbers | "total", "page", "size" and "pages" are beside the studies, and count them.
list.size       | /operations/studies/parameters/size | "size" limits the studies on a page.
list.page       | /operations/studies/firstPage | "page" selects the page, and the first page is 1.
list.project    | /operations/studies/parameters/projectId | "projectId" restricts the list to one project.
list.projects   | /operations/studies/projects | "projectId" takes several ids, separated by commas.
list.fields     |                           | A study in the list has the fields that it has when it is read.
reading reference study
read.exists     | /operations/study         | "GET /studies/{study_id}" reads a study.
read.own-id     |                           | The answer to a read has the id that was asked for.
error.not-found |                           | A read of an unknown id is answered 404.
reading inferred createStudy editStudy study studies
answer.at       | /answer/at                | The answer to one study is the study itself.
answer.naming   | /answer/naming            | The names in answers are in camel case.
answer.absent   | /answer/absent            | An answer has all 23 fields.
field.other     |                           | A study has no fields but the 23.
writing document createStudy
create.exists   | /operations/createStudy   | "POST /studies" stores a study and answers with it.
create.required | /request/required/createStudy | A create demands no field.
create.fields   | /request/absent/createStudy | A create takes the sixteen fields.
create.stored   |                           | The API gives back what a create has sent.
writing assumed createStudy editStudy
write.yes       | /verdicts/success         | A 2xx means yes.
write.statuses  | /verdicts/applied         | Each 2xx counts as a yes.
request.naming  | /request/names            | The names in requests are those of the document.
keys.honoured   | /keys                     | A create with a used idempotency key makes another study.
writing document editStudy
edit.exists     | /operations/editStudy     | "PATCH /studies/{study_id}" edits a study and answers with it.
edit.required   | /request/required/editStudy | An edit demands no field.
edit.fields     | /request/absent/editStudy | An edit takes the thirteen fields, and gives them back.
edit.merge      |                           | An edit leaves omitted fields as they are.
edit.null       |                           | "null" clears a field.
edit.empty      |                           | An empty array clears a list.
edit.progress   |                           | A "progress" replaces the whole progress.
edit.unknown    |                           | An unknown field is not stored.
edit.strategies |                           | The six strategies and other texts are accepted.
edit.stored     |                           | What an edit answers is stored.
edit.etag       |                           | An edit needs no "If-Match".`;

const judges: Readonly<Record<string, Judge>> = {
  ...httpJudges,
  ...listJudges,
  ...studyJudges,
  ...createJudges,
  ...editJudges,
};

/** All statements, in the order of the report. */
export const statements: readonly Statement[] = table
  .split(/\n(?=reading|writing)/)
  .flatMap((group) => {
    const [head = '', ...rows] = group.trim().split('\n');
    const [askedBy, source, ...operations] = head.split(' ');
    return rows.flatMap((row) => {
      const [id, place, words = ''] = row.split('|').map((cell) => cell.trim());
      const line = place === '' ? undefined : place;
      const claim = words.replaceAll('"', '`');
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the table has no other words
      const own = { id, claim, source, askedBy, operations, line } as Statement;
      return id === 'field.other' ? answerNames.map((field) => toOf(field, own)).concat(own) : own;
    });
  });

function toOf(field: FieldName, other: Statement): Statement {
  const line = `/answer/names/${field}`;
  return { ...other, id: `field.${field}`, line, claim: toClaim(field), source: toSource(field) };
}

const lacks = {
  list: open('no list was read', 'list.exists'),
  study: open('no study was seen', 'answer.at'),
  create: open('no create was made', 'create.exists'),
  writing: open('needs --write'),
};
export const NOT_ASKED = lacks.writing.seen;

/** Returns the verdict on a statement about something that was not seen. */
function findLack({ id, askedBy }: Statement, { reader, studies, written }: Evidence) {
  if (askedBy === 'writing' && !written) return lacks.writing;
  if (/^list\.(?!exists)/.test(id) && !reader.pages.has('list')) return lacks.list;
  if (/^(?:field\.|answer\.[na])/.test(id) && studies.length === 0) return lacks.study;
  const needsCreate = /^(?:create|write|request|keys|edit)\.(?!exists|etag|null)/.test(id);
  return needsCreate && !written?.whole ? lacks.create : undefined;
}

/** Judges all statements by what was seen. */
export function judge(evidence: Evidence): Judged[] {
  return statements.flatMap((statement): Judged[] => {
    const { id } = statement;
    const field = answerNames.find((name) => id === `field.${name}`);
    const judgeThis: Judge = (seen) => (field ? judgeField(seen, field) : judges[id]?.(seen));
    const verdicts = [findLack(statement, evidence) ?? judgeThis(evidence) ?? []].flat();
    if (verdicts.length === 0) return [{ ...statement, is: 'so', seen: 'as stated' }];
    return verdicts.map((verdict) => Object.assign({}, statement, verdict));
  });
}
