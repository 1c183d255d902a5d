import type { Assumption } from './assumption.js';
import { isSuccess, toAnswers, type Evidence } from './observation.js';
import { confirmed, judge, refuted, toReason, toStatus, unknown, type Verdict } from './verdict.js';

/** `GET /studies/{study_id}`. */
export const readAssumptions: readonly Assumption[] = [
  {
    id: 'read.exists',
    claim: '`GET /studies/{study_id}` reads a study.',
    source: 'reference',
    access: 'reads',
    place: 'study/study.api.ts',
    consequence:
      '`study(id)` is `null` or an error for every id; `createStudy` and `editStudy` work.',
    change:
      'Take `study` out of study/study.resolver.ts, or send what the API offers in its place.',
    check: judgeExistence,
  },
  {
    id: 'read.object',
    claim: 'A study is answered as one JSON object.',
    source: 'document',
    access: 'reads',
    place: 'rest/rest-client.ts',
    needs: 'http.encoding',
    consequence: 'The operation fails with `UPSTREAM_CONTRACT`, and a write is `APPLIED`.',
    change: 'Unwrap the study in study/study.api.ts.',
    check: (evidence) =>
      judge(
        toAnswers(evidence, 'read').map(({ number, type }) => ({
          number,
          fault: type === 'an object' ? undefined : type === 'nothing' ? 'no JSON' : type,
        })),
        toReason(evidence, 'read'),
      ),
  },
  {
    id: 'read.own-id',
    claim: 'A study has the `id` that it is read by.',
    source: 'assumed',
    access: 'reads',
    place: 'study/study.api.ts',
    consequence: 'The study is shown all the same; caches of frontends keep it under its other id.',
    change: 'Compare the ids in `find` of study/study.api.ts.',
    check: (evidence) =>
      judge(
        toAnswers(evidence, 'read').flatMap(({ number, asked, studies: [study] }) => {
          if (study?.id === undefined) return [];
          return [{ number, fault: asked.includes(study.id) ? undefined : 'another id' }];
        }),
        toReason(evidence, 'read'),
      ),
  },
];

/** A 404 refutes only of a study that the list has shown: an id of the command line may be wrong. */
function judgeExistence(evidence: Evidence): Verdict {
  const reads = evidence.observations.filter(({ step }) => step === 'read');
  const found = reads.filter(isSuccess);
  if (found.length > 0) return confirmed(`${found.length} of ${reads.length}`, ...found);
  const isListed = toAnswers(evidence, 'list').some(({ studies }) => studies.length > 0);
  const missing = reads.filter(({ status }) => status === 405 || (status === 404 && isListed));
  if (missing.length === 0) return unknown(toReason(evidence, 'read'));
  return refuted(`${toStatus(missing[0]!)} in ${missing.length} of ${reads.length}`, ...missing);
}
