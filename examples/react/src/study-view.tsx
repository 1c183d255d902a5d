import type { StudyFieldsFragment } from 'study-gateway-client/react';
import { focusOnMount } from './focus-on-mount.ts';
import { toStrategyName } from './strategies.ts';
import { StudyStatus } from './study-status.tsx';

interface Props {
  readonly study: StudyFieldsFragment;
  /** Message about the action that has just closed the form. If set, the heading takes the focus. */
  readonly notice: string | undefined;
  readonly onEdit: () => void;
}

export function StudyView({ study, notice, onEdit }: Props) {
  return (
    <article>
      <StudyStatus study={study} />
      <h1 tabIndex={-1} ref={notice === undefined ? undefined : focusOnMount}>
        {study.description ?? 'A study without a question'}
      </h1>
      <dl className="facts">
        <dt>Strategy</dt>
        <dd>{study.strategy ? toStrategyName(study.strategy) : <None />}</dd>
        <dt>Interviews</dt>
        <dd>{study.interviewCount ?? <None />}</dd>
        <dt>Audiences</dt>
        <dd>
          <Items of={study.audiences} />
        </dd>
        <dt>Problems</dt>
        <dd>
          <Items of={study.problems} />
        </dd>
        <dt>Project</dt>
        <dd>
          <code>{study.projectId}</code>
        </dd>
        <dt>Study</dt>
        <dd>
          <code>{study.id}</code>
        </dd>
      </dl>
      <div className="actions">
        <button className="primary" type="button" onClick={onEdit}>
          Edit
        </button>
        <output>{notice}</output>
      </div>
    </article>
  );
}

function Items({ of: items }: { readonly of: readonly string[] }) {
  if (items.length === 0) return <None />;
  return (
    <ul>
      {[...new Set(items)].map((item) => (
        <li key={item}>{item}</li>
      ))}
    </ul>
  );
}

function None() {
  return <span className="none">None</span>;
}
