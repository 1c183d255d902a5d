import { Fragment, useState } from 'react';
import { useCreateStudyMutation } from 'study-gateway-client/react';
import { focusOnMount } from './focus-on-mount.ts';
import { emptyValues, toCreateInput } from './form-values.ts';
import { openStudy } from './route.ts';
import { StudyForm } from './study-form.tsx';

export function CreateStudyPage() {
  const [create, { loading, error, reset }] = useCreateStudyMutation({
    onCompleted: ({ createStudy }) => openStudy(createStudy.id),
  });

  /** Number of restarts of the form. As the `key`, it makes React replace the form by an empty one. */
  const [draft, setDraft] = useState(0);

  const startOver = () => {
    reset();
    setDraft(draft + 1);
  };

  return (
    <Fragment key={draft}>
      <title>New study</title>
      <h1 tabIndex={-1} ref={draft > 0 ? focusOnMount : undefined}>
        New study
      </h1>
      <p className="lead">
        What do you want to learn, and from whom? Everything can be left open for now.
      </p>
      <StudyForm
        initial={emptyValues}
        isNew
        submitLabel="Create study"
        isSending={loading}
        error={error}
        onSubmit={(values, idempotencyKey) =>
          void create({ variables: { input: toCreateInput(values), idempotencyKey } })
        }
        onStartOver={startOver}
      />
    </Fragment>
  );
}
