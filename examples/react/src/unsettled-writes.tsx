import { useApolloClient } from '@apollo/client/react';
import { useEffect, useRef, useState } from 'react';
import type { StudyProblem, UnsettledWrite } from 'study-gateway-client';
import { useUnsettledWrites } from 'study-gateway-client/react';
import { unsettledWrites } from './client.ts';
import { Notice, ProblemNotice, Support, toReason } from './notice.tsx';
import { listHref, studyHref } from './route.ts';

interface Props {
  /** Why the newest write of this page failed. */
  readonly doubt: StudyProblem | undefined;
}

/** The writes without a known outcome, at the top of every page, each with the decisions about it. */
export function UnsettledWrites({ doubt }: Props) {
  const writes = useUnsettledWrites(unsettledWrites);
  const client = useApolloClient();
  const section = useRef<HTMLElement>(null);
  const count = useRef(writes.length);
  const [message, setMessage] = useState('');
  const [problem, setProblem] = useState<StudyProblem>();

  // Focuses the notice of a write that has just become unsettled, or what became of a decision.
  useEffect(() => {
    if (writes.length > count.current || problem)
      [...(section.current?.querySelectorAll<HTMLElement>('[role=alert]') ?? [])].at(-1)?.focus();
    count.current = writes.length;
  }, [writes, problem]);

  const decide = async (send: () => Promise<StudyProblem | undefined>) => {
    setProblem(undefined);
    setMessage('Sending …');
    section.current?.focus();
    const failure = await send();
    setMessage(failure ? '' : 'It is stored.');
    // A write that is still unknown is in the list again.
    setProblem(failure?.kind === 'unknown' ? undefined : failure);
    await client.refetchQueries({ include: 'active' });
  };

  const forget = (write: UnsettledWrite) => {
    write.forget();
    setMessage('');
    section.current?.focus();
  };

  return (
    <section className="unsettled" ref={section} tabIndex={-1} aria-label="Unsettled writes">
      {writes.map((write, index) => (
        <Unsettled
          key={write.key}
          write={write}
          doubt={index === writes.length - 1 ? doubt : undefined}
          onLook={() => void client.refetchQueries({ include: 'active' })}
          onSend={(send) => void decide(send)}
          onForget={() => forget(write)}
        />
      ))}
      {problem && (
        <ProblemNotice problem={problem}>
          <button type="button" onClick={() => setProblem(undefined)}>
            Close
          </button>
        </ProblemNotice>
      )}
      <output>{message}</output>
    </section>
  );
}

interface UnsettledProps extends Props {
  readonly write: UnsettledWrite;
  readonly onLook: () => void;
  readonly onSend: (send: () => Promise<StudyProblem | undefined>) => void;
  readonly onForget: () => void;
}

function Unsettled({ write, doubt, onLook, onSend, onForget }: UnsettledProps) {
  const { input, since, stored, next, isExpired, sendAgain, sendAsNew } = write;
  const isNew = write.operation === 'createStudy';
  const canRepeat = next === 'sendAgain' && sendAgain;
  const what = isNew ? 'study' : 'change';
  const name = input?.description ? `“${input.description}”, ` : '';
  const time = new Date(since).toLocaleTimeString('en', { hourCycle: 'h23', timeStyle: 'short' });

  return (
    <Notice kind="unknown" title={`We do not know whether the ${what} was stored`}>
      <p>
        {name}sent at {time}. {doubt && toReason(doubt)}
      </p>
      <p>
        {isExpired
          ? 'It is older than 24 hours, so its text is no longer kept.'
          : canRepeat
            ? 'You can safely send it again: it is stored once at most.'
            : 'Please look whether it is there before you send it as a new one.'}
        {!stored && ' Keep this page open: it is not kept anywhere else.'}
      </p>
      <div className="actions">
        {canRepeat && (
          <button className="primary" type="button" onClick={() => onSend(sendAgain)}>
            Send again
          </button>
        )}
        <a
          className={canRepeat ? 'button' : 'button primary'}
          href={write.studyId ? studyHref(write.studyId) : listHref}
          onClick={onLook}
        >
          {isNew ? 'Show your studies' : 'Show the study'}
        </a>
        {!canRepeat && sendAsNew && (
          <button type="button" onClick={() => onSend(sendAsNew)}>
            Not there: send as new
          </button>
        )}
        <button type="button" onClick={onForget}>
          {isExpired ? 'Forget it' : 'It is there'}
        </button>
      </div>
      {doubt && <Support problem={doubt} />}
    </Notice>
  );
}
