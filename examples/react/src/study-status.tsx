import { CombinedGraphQLErrors } from '@apollo/client';
import type { StudyFieldsFragment } from 'study-gateway-client';

interface Props {
  readonly of: StudyFieldsFragment;
}

/** Shows the status of a study, and how many of its interviews are done, as a bar and in words. */
export function StudyStatus({ of: { status, progress } }: Props) {
  const total = progress?.total ?? 0;
  const completed = progress?.completed ?? 0;
  const failed = progress?.failed ?? 0;
  const counts = `${completed} of ${total} interviews${failed > 0 ? `, ${failed} failed` : ''}`;
  const toWidth = (count: number) => ({ width: `${Math.min(100, (count / total) * 100)}%` });

  return (
    <div className="study-status" data-tone={status}>
      {status && <span className="status">{status}</span>}
      {total > 0 && (
        <>
          <span aria-hidden>{counts}</span>
          <div
            className="progress-bar"
            // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a `progress` has no second bar for failures
            role="progressbar"
            aria-label="Interviews"
            aria-valuemin={0}
            aria-valuemax={total}
            aria-valuenow={Math.min(completed + failed, total)}
            aria-valuetext={counts}
          >
            <span style={toWidth(completed)} />
            <span style={toWidth(failed)} />
          </div>
        </>
      )}
    </div>
  );
}

export function Created({ of: { createdAt } }: Props) {
  if (!createdAt) return null;
  const text = new Date(createdAt).toLocaleDateString('en', { dateStyle: 'medium' });
  return <time dateTime={createdAt}>{text}</time>;
}

/** Returns the last parts of the paths of what is `null` beside an error of its own: names of fields. */
export function toUnread(error: unknown): ReadonlySet<unknown> {
  const errors = CombinedGraphQLErrors.is(error) ? error.errors : [];
  return new Set(errors.flatMap(({ path = [] }) => (path.length > 1 ? path.at(-1) : [])));
}

/** Says what is missing on a page that shows what could be read. */
export function Remark({ error }: { readonly error: unknown }) {
  if (!error) return null;
  return (
    <p className="card">
      {toUnread(error).size > 0
        ? 'Something here could not be read. You see the rest.'
        : 'This could not be read again just now. What you see may be old.'}
    </p>
  );
}
