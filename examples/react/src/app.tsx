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
  // Why the newest unsettled write of this page failed.
  const [doubt, setDoubt] = useState<StudyProblem>();
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
      <header className="site-header">
        <a className="brand" href={listHref}>
          Studies
        </a>
        <nav aria-label="Pages">
          <a className="button primary" href={createHref}>
            New study
          </a>
        </nav>
      </header>
      <div className="layout">
        <main ref={main} tabIndex={-1}>
          <UnsettledWrites doubt={doubt} />
          {studyId ? (
            <StudyPage key={studyId} id={studyId} onUnknown={setDoubt} />
          ) : href === createHref ? (
            <NewStudyPage draft={draft} setDraft={setDraft} onUnknown={setDoubt} />
          ) : (
            <StudyListPage />
          )}
        </main>
        <DemoPanel />
      </div>
    </>
  );
}
