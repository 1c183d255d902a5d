import { matchProblem, type StudyProblem } from 'study-gateway-client';
import { Face } from './face.tsx';
import { toReason, toUnplacedErrors } from './reasons.ts';
import { listHref, studyHref } from './route.ts';

interface Props {
  readonly problem: StudyProblem;
  /** Title of a failed read. */
  readonly unreadTitle?: string;
  /** Sends a new write, or repeats a read. */
  readonly onRepeat: () => void;
  /**
   * Repeats the write with its idempotency key, so that the write is stored at most once. `isDone` tells whether the
   * user has already repeated the write. `undefined` if the form or the token has changed since the write.
   */
  readonly resend?: { readonly isDone: boolean; readonly onResend: () => void } | undefined;
  /** Shows the stored study; `undefined` if the write creates a study. */
  readonly onCheck?: (() => void) | undefined;
  /** Empties the form to create another study. */
  readonly onStartOver?: (() => void) | undefined;
}

/** Shows the outcome of a failed operation, and buttons for the next step. */
export function ProblemFace({ problem, unreadTitle, onRepeat, resend, onCheck, ...props }: Props) {
  const { onStartOver } = props;
  const isMarked = problem.fieldErrors.length > 0;
  const what = (
    <>
      <p>
        {toReason(problem)} {isMarked && 'See what is said beside the fields.'}
      </p>
      {toUnplacedErrors(problem).map((message) => (
        <p key={message}>{message}</p>
      ))}
    </>
  );
  const check = onCheck && (
    <button type="button" onClick={onCheck}>
      Show what is stored
    </button>
  );

  // A retry with the same key is safe. Without the key, or after a failed retry, users must look for the study.
  const needsLook = !resend || resend.isDone;

  return matchProblem(problem, {
    notSent: () => (
      <Face problem={problem} title="Not sent, so nothing has happened">
        {what}
        {!isMarked && (
          <div className="actions">
            <button type="button" onClick={onRepeat}>
              Try again
            </button>
          </div>
        )}
      </Face>
    ),

    rejected: ({ code, retryable, retryAfterSeconds }) => (
      <Face problem={problem} title="Refused by the Study API">
        {what}
        {retryAfterSeconds !== undefined && <p>Try again in {retryAfterSeconds} seconds.</p>}
        <div className="actions">
          {retryable && (
            <button type="button" onClick={onRepeat}>
              Try again
            </button>
          )}
          {code === 'CONFLICT' && check}
        </div>
      </Face>
    ),

    applied: ({ studyId }) => (
      <Face problem={problem} title="Stored, but the answer was damaged">
        <p>What you sent is safe. Please do not send it again.</p>
        {!onCheck && (
          <p>
            {studyId ? <a href={studyHref(studyId)}>Open study {studyId}</a> : 'Its id was lost.'}
          </p>
        )}
        <div className="actions">
          {check}
          {onStartOver && (
            <button type="button" onClick={onStartOver}>
              Begin another study
            </button>
          )}
        </div>
      </Face>
    ),

    unknown: () => (
      <Face problem={problem} title="We do not know whether it was stored">
        <p>
          {toReason(problem)}{' '}
          {resend && 'To send it again is safe: it has its own key and is stored once at most.'}
        </p>
        {needsLook && <p>Please look before you send it as a new one: it may be there already.</p>}
        {!onCheck && <p>What you have typed stays here while you look at your studies.</p>}
        <div className="actions">
          {check ?? (
            <a className="button" href={listHref}>
              Show your studies
            </a>
          )}
          {resend && (
            <button type="button" onClick={resend.onResend}>
              Send again
            </button>
          )}
          {needsLook && (
            <button type="button" onClick={onRepeat}>
              I have looked: send it as a new one
            </button>
          )}
          {needsLook && onStartOver && (
            <button type="button" onClick={onStartOver}>
              It is there: begin another study
            </button>
          )}
        </div>
      </Face>
    ),

    readFailed: () => (
      <Face problem={problem} title={unreadTitle ?? 'The study could not be read'}>
        <p>{toReason(problem)}</p>
        {problem.upstreamMessage !== undefined && <p>{problem.upstreamMessage}</p>}
        <div className="actions">
          <button type="button" onClick={onRepeat}>
            Read it again
          </button>
        </div>
      </Face>
    ),
  });
}
