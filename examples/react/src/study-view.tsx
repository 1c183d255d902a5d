import type { ReactNode } from 'react';
import type { StudyFieldsFragment } from 'study-gateway-client';
import { focusOnMount } from './focus-on-mount.ts';
import { toStrategyName } from './strategies.ts';
import { StudyStatus } from './study-status.tsx';

interface Props {
  readonly study: StudyFieldsFragment;
  /** Names of the fields that could not be read. */
  readonly unread: ReadonlySet<unknown>;
  /** Message about the action that has just closed the form. If set, the heading takes the focus. */
  readonly notice: string | undefined;
  readonly onEdit: () => void;
}

export function StudyView({ study, unread, notice, onEdit }: Props) {
  const show = (name: keyof StudyFieldsFragment, value: ReactNode) =>
    unread.has(name) ? <span className="none">It could not be read.</span> : (value ?? <None />);

  return (
    <article>
      <StudyStatus study={study} />
      <h1 tabIndex={-1} ref={notice === undefined ? undefined : focusOnMount}>
        {show('description', study.description ?? 'A study without a question')}
      </h1>
      <dl className="facts">
        <dt>Strategy</dt>
        <dd>{show('strategy', study.strategy && toStrategyName(study.strategy))}</dd>
        <dt>Interviews</dt>
        <dd>{show('interviewCount', study.interviewCount)}</dd>
        <dt>Audiences</dt>
        <dd>{show('audiences', <Items of={study.audiences} />)}</dd>
        <dt>Problems</dt>
        <dd>{show('problems', <Items of={study.problems} />)}</dd>
        <dt>Project</dt>
        <dd>{show('projectId', study.projectId && <code>{study.projectId}</code>)}</dd>
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

function Items({ of: items }: { readonly of: readonly string[] | null }) {
  if (!items?.length) return <None />;
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
