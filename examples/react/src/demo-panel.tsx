import { useApolloClient } from '@apollo/client/react';
import { CreateStudyDocument } from 'study-gateway-client';
import { evictStudies } from 'study-gateway-client/apollo';
import { openPage, listHref } from './route.ts';
import { scenarios } from './scenarios.ts';
import { useToken, writeToken } from './token.ts';

/** Replaces a sign-in: selects the token of all later operations. Studies that the page already shows stay. */
export function DemoPanel() {
  const client = useApolloClient();
  const token = useToken();
  const effect = scenarios.get(token);

  const change = ({ target }: { target: { value: string } }) => writeToken(target.value);

  const runStudy = async () => {
    writeToken('demo-running');
    const input = {
      description: 'Why do people stop halfway through the sign-up?',
      strategy: 'problem_exploration',
      interviewCount: 12,
    };
    openPage(listHref);
    await client
      .mutate({ mutation: CreateStudyDocument, variables: { input }, update: evictStudies })
      // A write without an outcome is listed on every page.
      .catch(() => undefined);
  };

  return (
    <aside className="demo" aria-labelledby="demo-title">
      <h2 id="demo-title">For developers</h2>
      {import.meta.env.DEV && (
        <>
          <div className="field">
            <label htmlFor="scenario">Scenario</label>
            <select
              id="scenario"
              aria-describedby="scenario-hint"
              value={effect ? token : ''}
              onChange={change}
            >
              <option value="">another token</option>
              {[...scenarios.keys()].map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
            <p className="hint" id="scenario-hint">
              {effect && `The emulator ${effect}.`}
            </p>
          </div>
          <button type="button" onClick={() => void runStudy()}>
            Run a study
          </button>
        </>
      )}
      <div className="field">
        <label htmlFor="token">Bearer token</label>
        <input
          id="token"
          type="text"
          autoComplete="off"
          spellCheck={false}
          value={token}
          onChange={change}
        />
      </div>
    </aside>
  );
}
