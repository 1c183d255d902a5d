import { useState } from 'react';
import { evictStudies, useCreateStudyMutation } from 'study-gateway-client/apollo';
import { readToken, writeToken } from './client.ts';
import { listHref } from './route.ts';
import { scenarios } from './scenarios.ts';

/** Replaces a sign-in: selects the token of all later operations. Studies that the page already shows stay. */
export function DemoPanel() {
  const [token, setToken] = useState(readToken);
  const [create] = useCreateStudyMutation({ errorPolicy: 'all', update: evictStudies });
  const effect = scenarios.get(token);

  const choose = (text: string) => {
    writeToken(text);
    setToken(text);
  };
  const change = ({ target }: { target: { value: string } }) => choose(target.value);

  const runStudy = () => {
    choose('demo-running');
    location.hash = listHref;
    const description = 'Why do people stop halfway through the sign-up?';
    // A write without an outcome is listed on every page.
    void create({ variables: { input: { description, interviewCount: 12 } } });
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
          <button type="button" onClick={runStudy}>
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
