import { Suspense } from 'react';
import { StudiesDocument } from 'study-gateway-client';
import { PreloadQuery } from './preload';
import { StudyList } from './study-list';
import { StudyProvider } from './study-provider';

// Read for each request, not during the build.
export const dynamic = 'force-dynamic';

export default function Page() {
  return (
    <StudyProvider>
      <PreloadQuery query={StudiesDocument} variables={{ size: 20 }}>
        <Suspense fallback={<p>Reading …</p>}>
          <StudyList />
        </Suspense>
      </PreloadQuery>
    </StudyProvider>
  );
}
