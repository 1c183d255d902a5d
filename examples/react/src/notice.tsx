import type { ReactNode } from 'react';
import { formErrors, studyProblem, type StudyProblem } from 'study-gateway-client';
import { formFields } from './form-values.ts';
import { studyHref } from './route.ts';

type Kind = StudyProblem['kind'];

/** SVG paths of the icons. Each kind of problem has its own shape, so that users need not rely on colours. */
const icons: Readonly<Record<Kind, string>> = {
  notSent: 'M4 12h10 M10 7l5 5-5 5 M20 5v14',
  rejected: 'M6 6l12 12 M18 6L6 18',
  applied: 'M5 13l4 4L19 7',
  unknown: 'M9 9a3 3 0 1 1 4.5 2.6c-.9.5-1.5 1.2-1.5 2.4 M12 18v.01',
  readFailed: 'M3 12s3.5-6 9-6 9 6 9 6-3.5 6-9 6-9-6-9-6 M4 4l16 16',
};

const titles: Readonly<Record<Kind, string>> = {
  notSent: 'Not sent: nothing has changed',
  rejected: 'Refused by the Study API',
  applied: 'Stored, but the answer was damaged',
  unknown: 'We do not know whether it was stored',
  readFailed: 'This could not be read',
};

/** Reasons of failures for users, by code. A code without a reason here is explained by the problem's own message. */
const reasons: Readonly<Record<string, string>> = {
  BAD_USER_INPUT: 'A value was not accepted.',
  UNAUTHENTICATED: 'You are not signed in, or your token has expired.',
  FORBIDDEN: 'You are not allowed to do this.',
  NOT_FOUND: 'There is no such study.',
  CONFLICT: 'Somebody else has changed the study in the meantime.',
  RATE_LIMITED: 'There were too many requests in a short time.',
  OVERLOADED: 'The service is busy at the moment.',
  UPSTREAM_UNAVAILABLE: 'The connection to the Study API failed.',
  UPSTREAM_TIMEOUT: 'The Study API took too long to answer.',
  UPSTREAM_ERROR: 'The Study API reported an error of its own.',
  UPSTREAM_CONTRACT: 'The answer of the Study API could not be read whole.',
  NO_ANSWER: 'No answer came that could be read.',
};

export function toReason({ code, message }: StudyProblem): string {
  return reasons[code] ?? message;
}

interface Props {
  readonly kind: Kind;
  readonly title: string;
  /** Problem whose code and request id the notice shows for the support. */
  readonly problem: StudyProblem | undefined;
  /** Buttons for the next step. */
  readonly actions: ReactNode;
  readonly children: ReactNode;
}

/** Says what became of an operation, and takes the focus. */
export function Notice({ kind, title, problem, actions, children }: Props) {
  return (
    <section className="notice card" data-tone={kind} role="alert" tabIndex={-1} ref={focus}>
      <h2>
        <svg viewBox="0 0 24 24" aria-hidden>
          <path d={icons[kind]} />
        </svg>
        {title}
      </h2>
      {children}
      {actions && <div className="actions">{actions}</div>}
      {problem && (
        <p className="hint">
          For support: <code>{problem.code}</code>
          {problem.requestId && ', request '}
          {problem.requestId && <code>{problem.requestId}</code>}
        </p>
      )}
    </section>
  );
}

interface ProblemProps {
  readonly problem: StudyProblem;
  /** Buttons for the next step. */
  readonly children?: ReactNode;
}

/** Says why an operation failed and what became of a write. */
export function ProblemNotice({ problem, children }: ProblemProps) {
  const { kind, studyId, fieldErrors, upstreamMessage, retryAfterSeconds } = problem;
  const hasOwnWords = fieldErrors.length > 0 || upstreamMessage !== undefined;
  const messages = hasOwnWords ? formErrors(problem, formFields).form : [];
  return (
    <Notice kind={kind} title={titles[kind]} problem={problem} actions={children}>
      {kind === 'applied' ? (
        <p>
          Please do not send it again.{' '}
          {studyId ? <a href={studyHref(studyId)}>Open study {studyId}</a> : 'Its id was lost.'}
        </p>
      ) : (
        <p>
          {toReason(problem)} {fieldErrors.length > 0 && 'See the messages at the fields.'}{' '}
          {retryAfterSeconds !== undefined && `Try again in ${retryAfterSeconds} seconds.`}
        </p>
      )}
      {messages.map((message) => (
        <p key={message}>{message}</p>
      ))}
    </Notice>
  );
}

/** Says that something could not be read, with a button that reads it again. */
export function FailedRead({ error, again }: { error: unknown; again: () => unknown }) {
  return (
    <ProblemNotice problem={studyProblem(error, 'query')}>
      <button type="button" onClick={() => void again()}>
        Read again
      </button>
    </ProblemNotice>
  );
}

/** Focuses an element when it appears, or the first field with an error. Use as the `ref` of the element. */
export function focus(element: HTMLElement | null): void {
  if (element) (document.querySelector<HTMLElement>('[aria-invalid]') ?? element).focus();
}
