import { useEffect, useState } from 'react';
import { toReason } from './reasons.ts';
import type { RetryWait } from './retry-wait.ts';

/** Shows the seconds until an automatic retry begins, and lets the user cancel the retry. */
export function RetryFace({ wait: { problem, until, cancel } }: { readonly wait: RetryWait }) {
  const isRead = problem.kind === 'readFailed';
  const seconds = useSecondsUntil(until);

  // The role `timer` keeps screen readers from announcing each second.
  return (
    <section className="face" aria-label="Automatic retry" aria-live="polite">
      <svg className="face-icon" viewBox="0 0 24 24" aria-hidden>
        <path d="M12 5v7l4 3" />
      </svg>
      <div className="face-body">
        <h2>{isRead ? 'Waiting to read it again' : 'Waiting to send it again'}</h2>
        <p>
          {toReason(problem)} The next attempt begins in <span role="timer">{seconds} s</span>.
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

function useSecondsUntil(time: Date): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const interval = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(interval);
  }, []);
  return Math.max(0, Math.ceil((time.getTime() - now) / 1_000));
}
