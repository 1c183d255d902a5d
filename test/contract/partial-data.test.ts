import type { DocumentNode } from 'graphql';
import { describe, expect, it } from 'vitest';
import { StudiesDocument, StudyDocument } from 'study-gateway-client';
import { brokenParts, studyFields } from '../support/contract.js';
import { allDaily } from '../support/daily.js';
import { startTestGateway } from '../support/gateway.js';
import { wholeStudy } from '../support/studies.js';
import { answerJson } from '../support/study-api.js';
import { partialClients } from './partial-clients.fixture.js';

const { id } = wholeStudy;

/** A query that reads the broken study, alone or among other studies. */
interface Place {
  readonly name: string;
  readonly document: DocumentNode;
  readonly variables: Record<string, unknown>;
  /** Returns the answer of the Study API that contains the broken study. */
  readonly toAnswer: (broken: object) => unknown;
  /** Returns the expected data of the response, given the expected result for the broken study. */
  readonly toData: (arrived: object | null) => unknown;
  /** Path of the broken study in the response. */
  readonly path: readonly (string | number)[];
}

/** Nineteen complete studies, among which the broken study is inserted. */
const others = Array.from({ length: 19 }, (_, index) => ({
  ...wholeStudy,
  id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
}));
const page = { page: 1, size: 20, total: 20, pages: 1 };

const places: readonly Place[] = [
  {
    name: 'a study',
    document: StudyDocument,
    variables: { id },
    toAnswer: (broken) => broken,
    toData: (arrived) => ({ study: arrived }),
    path: ['study'],
  },
  {
    name: 'a page of 20',
    document: StudiesDocument,
    variables: { size: 20 },
    toAnswer: (broken) => ({ items: others.toSpliced(7, 0, broken as never), ...page }),
    toData: (arrived) => ({
      studies: { items: others.toSpliced(7, 0, arrived as never), ...page },
    }),
    path: ['studies', 'items', 7],
  },
];

/** Returns the expected result for a study whose value at `path` is broken. */
function toArrived([field = '', part]: readonly string[]): object | null {
  if (field === 'id') return null;
  if (part === undefined) return { ...wholeStudy, [field]: null };
  return { ...wholeStudy, progress: { ...wholeStudy.progress, [part]: null } };
}

const rows = places.flatMap((place) =>
  partialClients.flatMap((client) => studyFields.map((field) => ({ place, client, field }))),
);
const few = rows.filter(
  ({ place, client, field }) =>
    (place === places[0] && client.name === 'graphql-request') ||
    ['id', 'summaries', 'progress'].includes(field),
);

describe('a broken field costs a client that shows partial data nothing else', () => {
  it.for(allDaily(rows, few))(
    'in $place.name, with $client.name: $field',
    async ({ place, client, field }) => {
      let broken: object = {};
      const gateway = await startTestGateway({
        api: (...call) => answerJson(place.toAnswer(broken))(...call),
      });
      const read = client.create(gateway.url);
      const parts = brokenParts.filter((part) => part.field === field);

      expect(parts.length).toBeGreaterThan(8);
      for (const { value, path, title } of parts) {
        broken = { ...wholeStudy, [field]: value };
        const result = await read(place.document, place.variables);

        expect({ title, ...result }).toEqual({
          title,
          data: place.toData(toArrived(path)),
          // What has no id is no study: the error stands in the place of the study.
          errors: [{ path: field === 'id' ? place.path : [...place.path, ...path] }],
        });
      }
    },
  );

  it('is tested with each way to break a field', () => {
    const titles = brokenParts.map(({ title }) => title).join('\n');

    for (const way of [
      'summaries = nothing',
      'summaries = null',
      'planId = nothing',
      'createdAt = false',
      'summaries = [null]',
      'interviewCount = 2147483648',
      'solution, too deep',
      'audiencesObj, too deep',
      'strategy = 0',
      'createdAt = "2026-01-02"',
    ])
      expect(titles).toContain(way);
  });
});
