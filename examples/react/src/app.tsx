import { useEffect, useRef } from 'react';
import { CreateStudyPage } from './create-study.page.tsx';
import { DeveloperPanel } from './developer-panel.tsx';
import { createHref, useStudyId } from './route.ts';
import { StudyPage } from './study.page.tsx';

export function App() {
  const studyId = useStudyId();
  const main = useRef<HTMLElement>(null);
  const shownId = useRef(studyId);

  // Focuses a new page, so that screen readers announce the page as if the browser had loaded it.
  useEffect(() => {
    if (shownId.current !== studyId) main.current?.focus();
    shownId.current = studyId;
  }, [studyId]);

  return (
    <div className="layout">
      <header className="site-header">
        <a className="brand" href={createHref}>
          Studies
        </a>
        <nav aria-label="Pages">
          <a href={createHref} aria-current={studyId === undefined ? 'page' : undefined}>
            New study
          </a>
        </nav>
      </header>
      <main ref={main} tabIndex={-1}>
        {studyId === undefined ? <CreateStudyPage /> : <StudyPage key={studyId} id={studyId} />}
      </main>
      <DeveloperPanel />
    </div>
  );
}
