import type { StudyProblem, UnsettledWrite } from 'study-gateway-client';
import { Face } from './face.tsx';
import { toReason } from './reasons.ts';
import { listHref } from './route.ts';

interface Props {
  /** Error of the last submission; `undefined` if another page or tab has sent the write. */
  readonly problem?: StudyProblem | undefined;
  /** The unsettled write with the values of the form; `undefined` if they have changed since. */
  readonly write: UnsettledWrite | undefined;
  /** Sends the values of the form: with the key of the unsettled write, if there is one. */
  readonly onSend: () => void;
  /** Shows the stored study; `undefined` if the write creates a study. */
  readonly onCheck?: (() => void) | undefined;
  /** Empties the form to create another study. */
  readonly onStartOver?: (() => void) | undefined;
}

/** Says that a write may have been stored, and offers first what can settle it: to send it again, or to look. */
export function UnknownFace({ problem, write, onSend, onCheck, onStartOver }: Props) {
  const canResend = write?.next === 'sendAgain';
  const lookClass = canResend ? 'button' : 'button primary';
  const sendAsNew = () => {
    write?.forget();
    onSend();
  };
  const startOver = () => {
    write?.forget();
    onStartOver?.();
  };

  return (
    <Face kind="unknown" problem={problem} title="We do not know whether it was stored">
      <p>
        {problem && problem.kind !== 'unknown' && 'It was sent before, and not sent this time. '}
        {problem ? toReason(problem) : write && `You have sent it before, ${toTime(write)}.`}{' '}
        {canResend && 'To send it again is safe: it has its own key and is stored once at most.'}
      </p>
      {!canResend && <p>Please look before you send it as a new one: it may be there already.</p>}
      {!onCheck && <p>What you have typed stays here while you look at your studies.</p>}
      <div className="actions">
        {canResend && (
          <button className="primary" type="button" onClick={onSend}>
            Send again
          </button>
        )}
        {onCheck ? (
          <button className={lookClass} type="button" onClick={onCheck}>
            Show what is stored
          </button>
        ) : (
          <a className={lookClass} href={listHref}>
            Show your studies
          </a>
        )}
        {!canResend && (
          <button type="button" onClick={sendAsNew}>
            I have looked: send it as a new one
          </button>
        )}
        {onStartOver && (
          <button type="button" onClick={startOver}>
            It is there: begin another study
          </button>
        )}
      </div>
    </Face>
  );
}

/** Says which writes are not settled, and lets the user decide each of them, whatever form is open. */
export function UnsettledNote({ writes }: { readonly writes: readonly UnsettledWrite[] }) {
  if (writes.length === 0) return null;
  return (
    <section className="note" aria-label="Studies that may be stored">
      {writes.map((write) => (
        <p key={write.key}>
          We do not know whether the study that you sent {toTime(write)} was stored
          {write.input?.description && `: “${write.input.description}”`}.{' '}
          <a href={listHref}>Show your studies</a>{' '}
          {write.sendAgain && (
            <button type="button" onClick={() => void write.sendAgain?.()}>
              Send it again
            </button>
          )}{' '}
          {write.sendAsNew && (
            <button type="button" onClick={() => void write.sendAsNew?.()}>
              It is not there: send it as a new one
            </button>
          )}{' '}
          <button type="button" onClick={write.forget}>
            I have looked
          </button>
        </p>
      ))}
    </section>
  );
}

function toTime({ since }: UnsettledWrite): string {
  return `at ${new Date(since).toLocaleTimeString('en', { hourCycle: 'h23' })}`;
}
