import { leaveByRow, studyHref } from './route.ts';
import { toStrategyName } from './strategies.ts';
import type { ListedStudy } from './study-list.query.ts';
import { StudyStatus } from './study-status.tsx';

/** A study in the list; `null` if the study could not be read. */
export function StudyRow({ study }: { readonly study: ListedStudy | null }) {
  if (!study) return <li className="none">A study is here that could not be read.</li>;
  const href = studyHref(study.id);
  return (
    <li>
      <a href={href} onClick={() => leaveByRow(href)}>
        {study.description ?? 'A study without a question'}
      </a>
      <StudyStatus study={study}>
        {study.strategy && <span>{toStrategyName(study.strategy)}</span>}
      </StudyStatus>
    </li>
  );
}
