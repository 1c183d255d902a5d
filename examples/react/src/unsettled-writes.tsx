import { useApolloClient } from '@apollo/client/react';
import { useRef, useState } from 'react';
import type { StudyProblem, UnsettledWrite } from 'study-gateway-client';
import { useUnsettledWrites } from 'study-gateway-client/react';
import { unsettledWrites } from './client.ts';
import { Notice, ProblemNotice, toReason } from './notice.tsx';
import { listHref, studyHref } from './route.ts';

interface Props {
  /** Why the newest write failed that is, or may be, stored. */
  readonly problem: StudyProblem | undefined;
  readonly setProblem: (problem: StudyProblem | undefined) => void;
}

/** The writes without a known outcome, at the top of every page. */
export function UnsettledWrites({ problem, setProblem }: Props) {
  const writes = useUnsettledWrites(unsettledWrites);
  const client = useApolloClient();
  const section = useRef<HTMLElement>(null);
  const [message, setMessage] = useState('');
  const readAgain = () => client.refetchQueries({ include: 'active' });

  const decide = async (send: UnsettledWrite['sendAgain']) => {
    setProblem(undefined);
    setMessage('Sending …');
    section.current?.focus();
    const failure = await send?.();
    setMessage(failure ? '' : 'It is stored.');
    // A write that is still unknown is in the list again.
    if (failure?.kind !== 'unknown') setProblem(failure);
    await readAgain();
  };

  const forget = (write: UnsettledWrite) => {
    write.forget();
    setProblem(undefined);
    setMessage('');
    section.current?.focus();
  };

  const toNotice = (write: UnsettledWrite, index: number) => {
    const { key, studyId, input, since, stored, isExpired } = write;
    const isNewest = index === writes.length - 1;
    const reason = isNewest && problem?.kind === 'unknown' ? problem : undefined;
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

  if (writes.length === 0 && !problem && !message) return null;
  return (
    <section ref={section} tabIndex={-1} aria-label="Unsettled writes">
      {writes.map(toNotice)}
      {problem && problem.kind !== 'unknown' && (
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
