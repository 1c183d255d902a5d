import { matchProblem, type StudyProblem, type UnsettledWrite } from 'study-gateway-client';
import { Face } from './face.tsx';
import { toReason, toUnplacedErrors } from './reasons.ts';
import { studyHref } from './route.ts';
import { UnknownFace } from './unknown-face.tsx';

interface Props {
  readonly problem: StudyProblem;
  /** Title of a failed read. */
  readonly unreadTitle?: string;
  /** Sends the write, or repeats a read. */
  readonly onRepeat: () => void;
  /** The unsettled write with the values of the form. */
  readonly write?: UnsettledWrite | undefined;
  /** Shows the stored study; `undefined` if the write creates a study. */
  readonly onCheck?: (() => void) | undefined;
  /** Empties the form to create another study. */
  readonly onStartOver?: (() => void) | undefined;
}

/** Shows the outcome of a failed operation, and buttons for the next step. */
export function ProblemFace({ problem, unreadTitle, onRepeat, write, onCheck, ...props }: Props) {
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

  const unknown = () => (
    <UnknownFace
      problem={problem}
      write={write}
      onSend={onRepeat}
      onCheck={onCheck}
      onStartOver={onStartOver}
    />
  );
  // Only an earlier try of the same write can be unsettled: a refusal of this try says nothing about that one.
  if (write) return unknown();

  return matchProblem(problem, {
    notSent: () => (
      <Face kind="notSent" problem={problem} title="Not sent, so nothing has happened">
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
      <Face kind="rejected" problem={problem} title="Refused by the Study API">
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
      <Face kind="applied" problem={problem} title="Stored, but the answer was damaged">
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

    unknown,

    readFailed: () => (
      <Face
        kind="readFailed"
        problem={problem}
        title={unreadTitle ?? 'The study could not be read'}
      >
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
