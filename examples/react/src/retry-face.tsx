import { toReason } from './reasons.ts';
import type { RetryWait } from './retry-wait.ts';

/** Shows when an automatic retry will begin, and lets the user cancel the retry. */
export function RetryFace({ wait: { problem, until, cancel } }: { readonly wait: RetryWait }) {
  const isRead = problem.kind === 'readFailed';

  return (
    <section className="face" aria-label="Automatic retry" aria-live="polite">
      <svg className="face-icon" viewBox="0 0 24 24" aria-hidden>
        <path d="M12 5v7l4 3" />
      </svg>
      <div className="face-body">
        <h2>{isRead ? 'Waiting to read it again' : 'Waiting to send it again'}</h2>
        <p>
          {toReason(problem)} The next attempt is at{' '}
          <time dateTime={until.toISOString()}>
            {until.toLocaleTimeString('en', { hourCycle: 'h23' })}
          </time>
          .
        </p>
        <div className="actions">
          <button type="button" onClick={cancel}>
            Cancel the retry
          </button>
        </div>
      </div>
    </section>
  );
}
