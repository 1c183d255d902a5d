'use client';

import { useStudiesSuspenseQuery } from 'study-gateway-client/react';

export function StudyList() {
  const { data } = useStudiesSuspenseQuery({ variables: { size: 20 } });
  const items = data?.studies?.items;
  return <ul>{items?.map((study) => study && <li key={study.id}>{study.description}</li>)}</ul>;
}
