import type { ReactNode } from 'react';
import type { StudyProblem } from 'study-gateway-client';

interface Props {
  readonly kind: StudyProblem['kind'];
  /** Problem whose code and request id the face shows for the support. */
  readonly problem: StudyProblem | undefined;
  readonly title: string;
  readonly children: ReactNode;
}

/** SVG paths of the icons. Each kind of problem has its own shape, so that users need not rely on colours. */
const icons: Readonly<Record<StudyProblem['kind'], string>> = {
  notSent: 'M4 12h10 M10 7l5 5-5 5 M20 5v14',
  rejected: 'M6 6l12 12 M18 6L6 18',
  applied: 'M5 13l4 4L19 7',
  unknown: 'M9 9a3 3 0 1 1 4.5 2.6c-.9.5-1.5 1.2-1.5 2.4 M12 18v.01',
  readFailed: 'M3 12s3.5-6 9-6 9 6 9 6-3.5 6-9 6-9-6-9-6 M4 4l16 16',
};

export function Face({ kind, problem, title, children }: Props) {
  return (
    <section className={`face face-${kind}`} role="alert" tabIndex={-1}>
      <svg className="face-icon" viewBox="0 0 24 24" aria-hidden>
        <path d={icons[kind]} />
      </svg>
      <div className="face-body">
        <h2>{title}</h2>
        {children}
        {problem && (
          <p className="face-support">
            For support: <code>{problem.code}</code>
            {problem.requestId && (
              <>
                , request <code>{problem.requestId}</code>
              </>
            )}
          </p>
        )}
      </div>
    </section>
  );
}
