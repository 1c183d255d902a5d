import { useApolloClient } from '@apollo/client/react';
import { useEffect, useRef, useState } from 'react';
import type { StudyProblem, UnsettledWrite } from 'study-gateway-client';
import { useUnsettledWrites } from 'study-gateway-client/react';
import { unsettledWrites } from './client.ts';
import { Notice, ProblemNotice, toReason } from './notice.tsx';
import { listHref, studyHref } from './route.ts';

/** The writes without a known outcome, at the top of every page. `doubt` tells why the newest one failed. */
export function UnsettledWrites({ doubt }: { readonly doubt: StudyProblem | undefined }) {
  const writes = useUnsettledWrites(unsettledWrites);
  const client = useApolloClient();
  const section = useRef<HTMLElement>(null);
  const count = useRef(writes.length);
  const [message, setMessage] = useState('');
  const [problem, setProblem] = useState<StudyProblem>();
  const readAgain = () => client.refetchQueries({ include: 'active' });

  // Focuses the notice of a write that has just become unsettled, or what became of a decision.
  useEffect(() => {
    const isNew = writes.length > count.current;
    const notices = section.current?.querySelectorAll<HTMLElement>('[role=alert]') ?? [];
    if (isNew || problem) [...notices].at(isNew ? writes.length - 1 : -1)?.focus();
    count.current = writes.length;
  }, [writes, problem]);

  const decide = async (send: UnsettledWrite['sendAgain']) => {
    setProblem(undefined);
    setMessage('Sending …');
    section.current?.focus();
    const failure = await send?.();
    setMessage(failure ? '' : 'It is stored.');
    // A write that is still unknown is in the list again.
    setProblem(failure?.kind === 'unknown' ? undefined : failure);
    await readAgain();
  };

  const forget = (write: UnsettledWrite) => {
    write.forget();
    setMessage('');
    section.current?.focus();
  };

  const toNotice = (write: UnsettledWrite, index: number) => {
    const { key, studyId, input, since, stored, isExpired } = write;
    const reason = index === writes.length - 1 ? doubt : undefined;
    const canRepeat = write.next === 'sendAgain' && !isExpired;
    const time = new Date(since).toLocaleTimeString('en', { hourCycle: 'h23', timeStyle: 'short' });
    const actions = (
      <>
        {canRepeat && (
          <button className="primary" type="button" onClick={() => void decide(write.sendAgain)}>
            Send again
          </button>
        )}
        <a
          className={canRepeat ? 'button' : 'button primary'}
          href={studyId ? studyHref(studyId) : listHref}
          onClick={() => void readAgain()}
        >
          {studyId ? 'Show the study' : 'Show your studies'}
        </a>
        {!canRepeat && !isExpired && (
          <button type="button" onClick={() => void decide(write.sendAsNew)}>
            Not there: send as new
          </button>
        )}
        <button type="button" onClick={() => forget(write)}>
          {isExpired ? 'Forget it' : 'It is there'}
        </button>
      </>
    );
    return (
      <Notice
        key={key}
        kind="unknown"
        title={`We do not know whether the ${studyId ? 'change' : 'study'} was stored`}
        problem={reason}
        actions={actions}
      >
        <p>
          {input?.description && `“${input.description}”, `}sent at {time}.{' '}
          {reason && toReason(reason)}
        </p>
        <p>
          {isExpired
            ? 'It is older than 24 hours, so its text is no longer kept.'
            : canRepeat
              ? 'You can safely send it again: it is stored once at most.'
              : 'Please look whether it is there before you send it as a new one.'}
          {!stored && ' Keep this page open: it is not kept anywhere else.'}
        </p>
      </Notice>
    );
  };

  return (
    <section className="unsettled" ref={section} tabIndex={-1} aria-label="Unsettled writes">
      {writes.map(toNotice)}
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
