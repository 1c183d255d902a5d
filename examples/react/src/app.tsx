import { useEffect, useRef, useState } from 'react';
import type { StudyProblem } from 'study-gateway-client';
import { DemoPanel } from './demo-panel.tsx';
import { emptyValues } from './form-values.ts';
import { NewStudyPage } from './new-study.page.tsx';
import { createHref, listHref, useRoute } from './route.ts';
import { StudyListPage } from './study-list.page.tsx';
import { StudyPage } from './study.page.tsx';
import { UnsettledWrites } from './unsettled-writes.tsx';

export function App() {
  const { href, studyId } = useRoute();
  // Kept above the pages, so that a user can look at the list and come back.
  const [draft, setDraft] = useState(emptyValues);
  // Why the newest write that was, or may have been, stored failed: its form is gone.
  const [problem, setProblem] = useState<StudyProblem>();
  const main = useRef<HTMLElement>(null);
  const shown = useRef(href);

  // Focuses a new page, so that screen readers announce the page as if the browser had loaded it.
  useEffect(() => {
    if (shown.current === href) return;
    shown.current = href;
    scrollTo(0, 0);
    main.current?.focus({ preventScroll: true });
  }, [href]);

  return (
    <>
      {import.meta.env.DEV && <DemoPanel />}
      <header>
        <a className="brand" href={listHref}>
          Studies
        </a>
        <a className="button primary" href={createHref}>
          New study
        </a>
      </header>
      <main ref={main} tabIndex={-1}>
        <UnsettledWrites problem={problem} setProblem={setProblem} />
        {studyId ? (
          <StudyPage key={studyId} id={studyId} onStored={setProblem} />
        ) : href === createHref ? (
          <NewStudyPage draft={draft} setDraft={setDraft} onStored={setProblem} />
        ) : (
          <StudyListPage />
        )}
      </main>
    </>
  );
}
