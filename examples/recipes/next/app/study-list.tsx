'use client';

import { useSuspenseQuery } from '@apollo/client/react';
import { StudiesDocument } from 'study-gateway-client';

export function StudyList() {
  const { data } = useSuspenseQuery(StudiesDocument, { variables: { size: 20 } });
  const items = data.studies?.items;
  return <ul>{items?.map((study) => study && <li key={study.id}>{study.description}</li>)}</ul>;
}
