import { expect, it } from 'vitest';
import { CreateStudyDocument, formErrors, studyProblem } from 'study-gateway-client';
import { startTestGateway } from '../support/gateway.js';
import { answerJson } from '../support/study-api.js';

/** The fields of the form. */
const names = [
  'projectId',
  'strategy',
  'status',
  'audiences',
  'progress',
  'progress.total',
] as const;

/** What a form is told when the Study API refuses its values with `detail`. */
async function refuse(detail: readonly object[]) {
  const { graphql } = await startTestGateway({ api: answerJson({ detail }, 422) });
  return formErrors(studyProblem(await graphql(CreateStudyDocument, { input: {} })), names);
}

it('puts each message to its field: a part of progress by a path, an item of a list to its list', async () => {
  const errors = await refuse([
    { loc: ['body', 'projectId'], msg: 'No such project' },
    { loc: ['body', 'strategy'], msg: 'Too long' },
    { loc: ['body', 'strategy'], msg: 'Not one of ours' },
    { loc: ['body', 'progress', 'total'], msg: 'Must not be negative' },
    { loc: ['body', 'progress'], msg: 'Incomplete' },
    { loc: ['body', 'progress', 'paused'], msg: 'Not known' },
    { loc: ['body', 'audiences', 1], msg: 'Must not be empty' },
  ]);

  expect(errors).toEqual({
    fields: {
      projectId: ['No such project'],
      strategy: ['Too long', 'Not one of ours'],
      'progress.total': ['Must not be negative'],
      progress: ['Incomplete', 'Not known'],
      audiences: ['Must not be empty'],
    },
    form: [],
  });
});

it('puts what GraphQL refuses of an argument to the field, whatever the variable is called', async () => {
  const { graphql } = await startTestGateway();

  const document = 'mutation ($data: CreateStudyInput!) { createStudy(input: $data) { id } }';
  const result = await graphql(document, { data: { projectId: 'x' } });

  expect(formErrors(studyProblem(result), names)).toEqual({
    fields: { projectId: [expect.stringContaining('Must be a UUID')] },
    form: [],
  });
});

it('keeps for the form what belongs to no field', async () => {
  const errors = await refuse([
    { loc: ['body'], msg: 'Contradicts itself' },
    { loc: ['body', 'toString'], msg: 'Extra field' },
    { loc: ['path', 'study_id'], msg: 'No such study' },
    { loc: ['body', 'status'], msg: 'Not allowed' },
  ]);

  expect(errors).toEqual({
    fields: { status: ['Not allowed'] },
    form: ['Contradicts itself', 'Extra field', 'No such study'],
  });
});

it('tells the form what the Study API says of no single value, or what went wrong', async () => {
  const toErrors = async (body: object) => {
    const { graphql } = await startTestGateway({ api: answerJson(body, 409) });
    const problem = studyProblem(await graphql(CreateStudyDocument, { input: {} }));
    return { ...formErrors(problem, names), ownMessage: problem.message };
  };
  const message = 'The project is archived.';
  const errors = [{ field: 'status', message: 'Not allowed' }];

  expect(await toErrors({ message })).toMatchObject({ fields: {}, form: [message] });
  const fields = { status: ['Not allowed'] };
  expect(await toErrors({ message, errors })).toMatchObject({ fields, form: [message] });
  const nothing = await toErrors({});
  expect(nothing).toMatchObject({ fields: {}, form: [nothing.ownMessage] });
});
