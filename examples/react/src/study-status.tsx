import type { ReactNode } from 'react';
import type { StudyFieldsFragment } from 'study-gateway-client';

interface Props {
  readonly study: Pick<StudyFieldsFragment, 'status' | 'createdAt'>;
  readonly children?: ReactNode;
}

/** Shows the status and the creation time of a study in one line, followed by `children`. */
export function StudyStatus({ study: { status, createdAt }, children }: Props) {
  return (
    <p className="study-status">
      {status && <span className="study-badge">{status}</span>}
      {createdAt && (
        <time dateTime={createdAt}>
          {new Date(createdAt).toLocaleString('en', { dateStyle: 'long', timeStyle: 'short' })}
        </time>
      )}
      {children}
    </p>
  );
}
