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
http.answer     |                           | A successful answer is one complete JSON text.
auth.bearer     |                           | The API accepts the token in "Authorization: Bearer".
reading assumed createStudy editStudy study studies
error.reason    | /verdicts/reason          | A refusal gives its reason in a format that the gateway reads.
error.status    | /verdicts                 | An invalid request is refused with a 4xx.
reading assumed study studies
auth.none       |                           | A read without a token is answered 401.
auth.wrong      |                           | A read with a wrong token is answered 401.
writing assumed editStudy
refuse.token    |                           | An edit with a wrong token is answered 401.
reading inferred studies
list.exists     | /operations/studies       | "GET /studies" lists studies.
list.items      | /operations/studies/items | The studies of a page are in "items", or the page is an array.
list.numbers    | /operations/studies/numbers | "total", "page", "size" and "pages" are beside the array of studies.
list.size       | /operations/studies/parameters/size | "size" limits the studies on a page.
list.page       | /operations/studies/firstPage | "page" selects the page, and the first page is 1.
list.project    | /operations/studies/parameters/projectId | "projectId" restricts the list to one project.
list.projects   | /operations/studies/projects | "projectId" takes several ids, separated by commas.
list.fields     |                           | A study in the list has the same fields as when it is read by its id.
reading reference study
read.exists     | /operations/study         | "GET /studies/{study_id}" reads a study.
read.own-id     |                           | The answer to a read has the id that was asked for.
error.not-found |                           | A read of an unknown id is answered 404.
reading inferred createStudy editStudy study studies
answer.at       | /answer/at                | An answer with one study is the study object itself, without a wrapper.
answer.naming   | /answer/naming            | The names in answers are in camel case.
answer.absent   | /answer/absent            | An answer has all 23 fields.
field.other     |                           | A study has no fields but the 23.
writing document createStudy
create.exists   | /operations/createStudy   | "POST /studies" stores a study and answers with it.
create.fields   | /request/absent/createStudy | A create accepts the sixteen fields of "CreateStudyInput".
writing assumed createStudy
create.required | /request/required/createStudy | A create requires no field.
create.stored   |                           | The API returns the values that a create has sent.
writing assumed createStudy editStudy
write.yes       | /verdicts/success         | The API never answers 2xx to a write that it refuses.
write.statuses  | /verdicts/applied         | Every 2xx status means success.
request.naming  | /request/names            | The names in requests are those of the document.
keys.honoured   | /keys                     | A create with a used idempotency key makes another study.
writing document editStudy
edit.exists     | /operations/editStudy     | "PATCH /studies/{study_id}" edits a study and answers with it.
edit.fields     | /request/absent/editStudy | An edit accepts the thirteen fields of "EditStudyInput", and returns them.
writing assumed editStudy
edit.required   | /request/required/editStudy | An edit requires no field.
edit.merge      |                           | An edit leaves omitted fields as they are.
edit.null       |                           | "null" clears a field.
edit.empty      |                           | An empty array clears a list.
edit.progress   |                           | A "progress" replaces the whole progress.
edit.unknown    |                           | An unknown field is not stored.
edit.strategies |                           | "strategy" accepts the six known values and other strings.
edit.stored     |                           | The values in the answer to an edit are stored.
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
