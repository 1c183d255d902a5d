import { isSuccess, toAnswers, type Evidence } from './observation.js';
import {
  confirmed,
  judge,
  refuted,
  toReason,
  toStatus,
  unknown,
  type Assumption,
  type Verdict,
} from './verdict.js';

/** Assumptions about `GET /studies/{study_id}`. */
export const readAssumptions: readonly Assumption[] = [
  {
    id: 'read.exists',
    claim: '`GET /studies/{study_id}` reads a study.',
    source: 'reference',
    place: 'study/study.api.ts',
    consequence:
      '`study` returns `null` or fails for every id; `createStudy` and `editStudy` work.',
    change:
      'Remove `study` from study/study.resolver.ts, or send the request that the API offers instead.',
    check: judgeExistence,
  },
  {
    id: 'read.object',
    claim: 'The answer to a read is one JSON object: the study.',
    source: 'document',
    place: 'rest/rest-client.ts',
    needs: 'http.encoding',
    consequence:
      'The operation fails with `UPSTREAM_CONTRACT`; the outcome of a write is `APPLIED`.',
    change: 'Unwrap the study in study/study.api.ts.',
    check: (evidence) =>
      judge(
        toAnswers(evidence, 'read'),
        ({ type }) => {
          if (type === 'nothing') return 'no JSON';
          return type === 'an object' ? undefined : type;
        },
        toReason(evidence, 'read'),
      ),
  },
  {
    id: 'read.own-id',
    claim: 'The answer to a read has the `id` of the request.',
    source: 'assumed',
    place: 'study/study.api.ts',
    consequence: '`study` and `editStudy` fail with `UPSTREAM_CONTRACT`; no other study is shown.',
    change:
      'Nothing, if the other study is the wrong one; otherwise `readStudyId` of study/study.wire.ts.',
    check: (evidence) =>
      judge(
        toAnswers(evidence, 'read').filter(({ studies: [study] }) => study?.id !== undefined),
        ({ asked, studies: [study] }) => (asked === study!.id ? undefined : 'another id'),
        toReason(evidence, 'read'),
      ),
  },
];

/** Judges whether studies can be read by id. A 404 refutes this only for a study that the list has shown. */
function judgeExistence(evidence: Evidence): Verdict {
  const reads = evidence.observations.filter(({ step }) => step === 'read');
  const found = reads.filter(isSuccess);
  if (found.length > 0) return confirmed(`${found.length} of ${reads.length}`, ...found);
  const listed = new Set(
    toAnswers(evidence, 'list').flatMap(({ studies }) => studies.map(({ id }) => id)),
  );
  const missing = reads.filter(
    ({ status, asked }) => status === 405 || (status === 404 && listed.has(asked)),
  );
  if (missing.length === 0) return unknown(toReason(evidence, 'read'));
  return refuted(`${toStatus(missing[0]!)} in ${missing.length} of ${reads.length}`, ...missing);
}
