import { Fragment } from 'react';
import type { Creation } from './creation.ts';
import { focusOnMount } from './focus-on-mount.ts';
import { StudyForm } from './study-form.tsx';
import { UnsettledNote } from './unknown-face.tsx';

export function CreateStudyPage({ creation }: { readonly creation: Creation }) {
  const { draft, others, send, startOver, ...form } = creation;

  return (
    <Fragment key={draft}>
      <title>New study</title>
      <h1 tabIndex={-1} ref={draft > 0 ? focusOnMount : undefined}>
        New study
      </h1>
      <p className="lead">
        What do you want to learn, and from whom? Everything can be left open for now.
      </p>
      <UnsettledNote writes={others} />
      <StudyForm
        {...form}
        isNew
        operationName="CreateStudy"
        submitLabel="Create study"
        onSubmit={send}
        onStartOver={startOver}
      />
    </Fragment>
  );
}
