import { useEffect, useRef } from 'react';
import { CreateStudyPage } from './create-study.page.tsx';
import { useCreation } from './creation.ts';
import { DeveloperPanel } from './developer-panel.tsx';
import { createHref, listHref, readLeftRow, useRoute } from './route.ts';
import { StudyListPage } from './study-list.page.tsx';
import { StudyPage } from './study.page.tsx';

export function App() {
  const { page, studyId } = useRoute();
  const creation = useCreation();
  const main = useRef<HTMLElement>(null);
  const address = `${page} ${studyId}`;
  const shownAddress = useRef(address);

  // Shows a new page from its top and focuses it, so that screen readers announce the page as if the browser had loaded it.
  // "Back" to a list shows and focuses the row that was opened there.
  useEffect(() => {
    if (shownAddress.current !== address) {
      const left = readLeftRow();
      const row = left && main.current?.querySelector<HTMLElement>(`a[href="${left.href}"]`);
      (row ?? main.current)?.focus({ preventScroll: true });
      scrollTo(0, row ? left.scrollY : 0);
    }
    shownAddress.current = address;
  }, [address]);

  return (
    <div className="layout">
      <header className="site-header">
        <a className="brand" href={listHref} aria-current={page === 'list' ? 'page' : undefined}>
          Studies
        </a>
        <nav aria-label="Pages">
          <a
            className={page === 'list' ? 'button primary' : 'button'}
            href={createHref}
            aria-current={page === 'create' ? 'page' : undefined}
          >
            New study
          </a>
        </nav>
      </header>
      <main ref={main} tabIndex={-1}>
        {page === 'list' && <StudyListPage />}
        {page === 'create' && <CreateStudyPage creation={creation} />}
        {studyId !== undefined && <StudyPage key={studyId} id={studyId} />}
      </main>
      <DeveloperPanel />
    </div>
  );
}
