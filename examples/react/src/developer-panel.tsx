import { scenarios } from './scenarios.ts';
import { useToken, writeToken } from './token.ts';

/** Replaces a sign-in: selects the token of all later operations. Studies that the page already shows stay. */
export function DeveloperPanel() {
  const token = useToken();
  const effect = scenarios.get(token);

  const change = ({ target }: { target: { value: string } }) => writeToken(target.value);

  return (
    <aside className="developer" aria-labelledby="developer-title">
      <h2 id="developer-title">For developers</h2>
      {import.meta.env.DEV && (
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
          <p className="field-hint" id="scenario-hint">
            {effect && `What the emulator does next: ${effect}.`}
          </p>
        </div>
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
