import { useState } from 'react';
import { evictStudies, useCreateStudyMutation } from 'study-gateway-client/apollo';
import { readToken, writeToken } from './client.ts';
import { listHref } from './route.ts';
import { scenarios } from './scenarios.ts';

/** Selects the token of all later operations. Studies that the page already shows stay. */
export function DemoPanel() {
  const [token, setToken] = useState(readToken);
  const [create] = useCreateStudyMutation({ errorPolicy: 'all', update: evictStudies });

  const choose = (name: string) => {
    writeToken(name);
    setToken(name);
  };

  const runStudy = () => {
    choose('demo-running');
    location.hash = listHref;
    const description = 'Why do people stop halfway through the sign-up?';
    // A write without an outcome is listed on every page.
    void create({ variables: { input: { description, interviewCount: 12 } } });
  };

  return (
    <aside aria-label="For developers">
      <label htmlFor="scenario">Scenario</label>
      <select id="scenario" value={token} onChange={({ target }) => choose(target.value)}>
        {[...scenarios].map(([name, effect]) => (
          <option key={name} value={name}>
            {`${name || 'no token'}: ${effect}`}
          </option>
        ))}
      </select>
      <button type="button" onClick={runStudy}>
        Run a study
      </button>
    </aside>
  );
}
